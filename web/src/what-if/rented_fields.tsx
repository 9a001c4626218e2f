// What is rented, to change: kind, size, IOPS and MiB/s within the rules of the kind, how many, and what it costs a month.

import * as number from '../design/number'
import { Figure } from '../design/origin'
import { Slider } from '../design/slider'
import { STEPS, fromStep, toStep, typed, type Control } from './control'
import type { Known, Parts, Rented } from './document'
import { Choice, type PartProps } from './fields'
import { LEVELS, stepped } from './parts'
import {
  VOLUMES_LEVELS,
  VOLUMES_MAX,
  kinds,
  ofKindFitted,
  offered,
  prices,
  why,
  withRented,
} from './rented_parts'
import type { Session } from './session'

export function RentedFields({ session, parts: given, change }: PartProps & { session: Session }) {
  const { carried } = session
  const found = offered(session.core, given)
  if (!found) return null
  const { rented } = found
  const parts = { ...given, rented }
  const isInside = Boolean(rented.volume && carried.rental?.volumes[rented.volume]?.inside)
  const set = (some: Partial<Rented>) => {
    change({ ...parts, rented: withRented(session.core, parts, some) })
  }
  return (
    <>
      <Choice
        label="Kind"
        value={rented.kind}
        of={kinds(carried)}
        set={(kind) => {
          change(ofKindFitted(session.core, carried, parts, kind))
        }}
      />
      {rented.gib !== null && <Rates session={session} parts={parts} set={set} />}
      {!isInside && <Array parts={parts} change={change} />}
      <Rent session={session} parts={parts} />
    </>
  )
}

interface RatesProps {
  session: Session
  parts: Parts
  set: (some: Partial<Rented>) => void
}

/** Size, IOPS and MiB/s: sliders where they are chosen, words where they come with the size. */
function Rates({ session, parts, set }: RatesProps) {
  const found = offered(session.core, parts)
  const rules = parts.rented ? session.carried.rental?.kinds[parts.rented.kind]?.rules : undefined
  if (!found || !rules) return null
  const { rented, gib, steps, iops, mibps } = found
  const comes = [
    ...(iops ? [] : [`${number.grouped(rented.iops ?? 0, 0, 0)} IOPS`]),
    ...(mibps ? [] : [`${number.grouped(rented.mibps ?? 0, 0, 0)} MiB/s`]),
  ]
  return (
    <>
      {steps.length > 0 ? (
        <Choice
          label="Size"
          value={String(rented.gib)}
          of={steps.map((size) => [String(size), `${number.grouped(size, 0, 0)} GiB`])}
          set={(size) => {
            set({ gib: Number(size) })
          }}
        />
      ) : (
        <Amount
          label="Size"
          unit="GiB"
          value={rented.gib ?? 0}
          range={gib}
          known={rules.gib_max}
          set={(size) => {
            set({ gib: size })
          }}
        />
      )}
      {iops && (
        <Amount
          label="IOPS"
          unit=""
          value={rented.iops ?? 0}
          range={iops}
          known={rules.iops?.most}
          set={(rate) => {
            set({ iops: rate })
          }}
        />
      )}
      {mibps && (
        <Amount
          label="Throughput"
          unit="MiB/s"
          value={rented.mibps ?? 0}
          range={mibps}
          known={rules.mib_per_s?.most}
          set={(rate) => {
            set({ mibps: rate })
          }}
        />
      )}
      {comes.length > 0 && <p class="muted">With this size: {comes.join(' and ')}.</p>}
    </>
  )
}

interface AmountProps {
  label: string
  unit: string
  value: number
  range: [number, number]
  known: Known | null | undefined
  set: (value: number) => void
}

/** A whole number within the kind's rules. */
function Amount({ label, unit, value, range: [low, high], known, set }: AmountProps) {
  const control: Control = {
    key: label,
    label,
    unit,
    group: 'load',
    low,
    high,
    scale: high > 20 * Math.max(1, low) ? 'log' : 'linear',
    step: 1,
    times: 1,
    read: () => value,
    write: (settings) => settings,
  }
  return (
    <Slider
      label={label}
      unit={unit}
      text={String(value)}
      step={toStep(control, value)}
      steps={STEPS}
      said={`${number.grouped(value, 0, 0)} ${unit}`.trim()}
      origin={known?.provenance ?? 'plan'}
      why={`From ${number.grouped(low, 0, 0)} to ${number.grouped(high, 0, 0)} here. ${why(known, 'The most of the kind')}`}
      onStep={(step) => {
        const next = fromStep(control, step)
        if (next !== null) set(Math.round(next))
      }}
      onText={(text) => {
        const found = typed(control, text)
        if ('wrong' in found) return found.wrong
        if (found.value !== null) set(Math.round(found.value))
        return null
      }}
    />
  )
}

function Array({ parts, change }: PartProps) {
  const level = parts.level ?? 'single'
  return (
    <>
      <Choice
        label="Level"
        value={level}
        of={VOLUMES_LEVELS.map((name) => [
          name,
          name === 'single' ? 'one volume' : (LEVELS[name]?.label ?? name),
        ])}
        set={(next) => {
          change({ ...parts, level: next })
        }}
      />
      {level !== 'single' && (
        <Amount
          label="Volumes"
          unit=""
          value={parts.count}
          range={[LEVELS[level]?.least ?? 1, VOLUMES_MAX]}
          known={null}
          set={(count) => {
            if (count !== parts.count)
              change(
                stepped(
                  { ...parts, count: count < parts.count ? count + 1 : count - 1 },
                  count < parts.count ? -1 : 1,
                ),
              )
          }}
        />
      )}
    </>
  )
}

function Rent({ session, parts }: { session: Session; parts: Parts }) {
  const found = offered(session.core, parts)
  if (!found?.month) return <p class="muted">The plan has no price of it.</p>
  const { capacity_usd, iops_usd, mib_per_s_usd } = found.month
  const times = session.judged.settings.prices.rent_times
  const all = (capacity_usd + iops_usd + mib_per_s_usd) * times
  const of = [
    [capacity_usd, 'for the size'],
    [iops_usd, 'for IOPS'],
    [mib_per_s_usd, 'for throughput'],
  ] as const
  const said = of.filter(([usd]) => usd > 0).map(([usd, what]) => `$${(usd * times).toFixed(2)} ${what}`)
  return (
    <p class="wi-rent" aria-live="polite">
      Rent:{' '}
      <Figure origin="derived" why={`${said.join(', ')}. ${prices(session.carried, found.rented)}`}>
        ${number.grouped(all, 2, 2)} a month
      </Figure>
    </p>
  )
}
