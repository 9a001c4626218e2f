// The picture of what is rented, to drag: how many volumes, of which kind, and the size, IOPS and throughput of each.

import * as number from '../design/number'
import { nearestOf, shareOf, stops } from './amount'
import { LEVEL_STOPS } from './array'
import { Band } from './band'
import type { Parts, Rented } from './document'
import type { Held } from './fields'
import { Rail } from './rail'
import { VOLUMES_LEVELS, VOLUMES_MAX, byRent, offered, ofKindFitted, withRented } from './rented_parts'
import type { Session } from './session'
import { Shelf } from './shelf'

const VOLUMES = { name: 'Edge of the volumes', unit: 'volumes', most: VOLUMES_MAX }
const LEVELS = LEVEL_STOPS.filter(({ key }) => VOLUMES_LEVELS.includes(key)).map((stop) =>
  stop.key === 'single' ? { ...stop, said: stop.said.replace('one drive', 'one volume') } : stop,
)

interface Props {
  session: Session
  parts: Parts
  /** Where the pointer took hold. */
  base: Parts
  to: (some: Partial<Parts>) => void
  on: Held
}

export function RentedRails({ session, parts: given, base, to, on }: Props) {
  const { carried, core } = session
  const found = offered(core, given)
  if (!found) return null
  const { rented } = found
  const parts = { ...given, rented }
  const isInside = Boolean(rented.volume && carried.rental?.volumes[rented.volume]?.inside)
  const order = byRent(core, carried, base)
  return (
    <fieldset class="wi-fields wi-rails">
      <legend>Drag it</legend>
      {!isInside && <Shelf parts={parts} base={base} of={VOLUMES} onParts={to} {...on} />}
      {rented.gib !== null && <Bands session={session} parts={parts} base={base} to={to} on={on} />}
      {!isInside && (
        <Rail
          label="From cheap to safe"
          stops={LEVELS}
          at={LEVELS.findIndex(({ key }) => key === (parts.level ?? 'single'))}
          ends={['cheap', 'safe']}
          isLabelled
          onStop={(at) => {
            to({ level: LEVELS[at]?.key ?? parts.level })
          }}
          {...on}
        />
      )}
      <Rail
        label="By rent of this size"
        stops={order.map(({ key, title, usd }) => ({
          key,
          label: '',
          said: `${title}, ${usd === null ? 'rent not known' : `from ${number.money(usd)} a month`}`,
        }))}
        at={order.findIndex(({ key }) => key === rented.kind)}
        ends={['least', 'most']}
        isLabelled={false}
        onStop={(at) => {
          to(ofKindFitted(core, carried, base, order[at]?.key ?? rented.kind))
        }}
        {...on}
      />
    </fieldset>
  )
}

/** Size, IOPS and throughput of a volume, as far as they are chosen. */
function Bands({ session, parts, base, to, on }: Props) {
  const found = offered(session.core, parts)
  if (!found) return null
  const { rented, gib, steps, iops, mibps } = found
  const rules = session.carried.rental?.kinds[rented.kind]?.rules
  const set = (some: Partial<Rented>) => {
    to({ rented: withRented(session.core, base, some) })
  }
  return (
    <>
      <Amount
        label="Size"
        name="Edge of the size"
        unit="GiB"
        value={rented.gib ?? 0}
        range={gib}
        values={steps.length ? steps : stops(gib)}
        onValue={(size) => {
          set({ gib: size })
        }}
        on={on}
      />
      {iops && (
        <Amount
          label="IOPS"
          name="Edge of the IOPS"
          unit="IOPS"
          value={rented.iops ?? 0}
          range={iops}
          values={stops(iops)}
          included={rules?.iops?.included.value}
          onValue={(rate) => {
            set({ iops: rate })
          }}
          on={on}
        />
      )}
      {mibps && (
        <Amount
          label="Throughput"
          name="Edge of the throughput"
          unit="MiB/s"
          value={rented.mibps ?? 0}
          range={mibps}
          values={stops(mibps)}
          included={rules?.mib_per_s?.included.value}
          onValue={(rate) => {
            set({ mibps: rate })
          }}
          on={on}
        />
      )}
    </>
  )
}

interface AmountProps {
  label: string
  name: string
  unit: string
  value: number
  range: [number, number]
  values: number[]
  /** What comes with the size, and is not paid for. */
  included?: number | undefined
  onValue: (value: number) => void
  on: Held
}

function Amount({ label, name, unit, value, range, values, included, onValue, on }: AmountProps) {
  const text = (of: number) => number.grouped(of, 0, 0)
  const isFree = included !== undefined && included > range[0]
  const mark = isFree
    ? { share: shareOf(included, range), said: `${text(included)} come with it` }
    : undefined
  return (
    <Band
      label={label}
      name={name}
      said={`${text(value)} ${unit}`}
      shares={values.map((each) => shareOf(each, range))}
      at={nearestOf(values, value)}
      share={shareOf(value, range)}
      ends={[text(range[0]), text(range[1])]}
      mark={mark}
      onStop={(at) => {
        onValue(values[at] ?? value)
      }}
      {...on}
    />
  )
}
