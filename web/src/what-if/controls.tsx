// The controls, in three groups, and four questions that people ask first.

import { useState } from 'preact/hooks'
import * as number from '../design/number'
import { Slider } from '../design/slider'
import {
  CONTROLS,
  STEPS,
  driveControl,
  fromStep,
  shownValue,
  toStep,
  typed,
  withValue,
  type Control,
} from './control'
import type { Settings } from './document'
import type { Session } from './session'

const GROUPS: [Control['group'], string][] = [
  ['load', 'Load'],
  ['limits', 'Limits'],
  ['prices', 'Prices'],
]

export function Controls({ session }: { session: Session }) {
  return (
    <div class="wi-controls" role="group" aria-label="What if">
      <Questions session={session} />
      {GROUPS.map(([group, label]) => (
        <fieldset key={group}>
          <legend>{label}</legend>
          {shown(group, session).map((control) => (
            <One key={control.key} control={control} session={session} />
          ))}
          {group === 'prices' && <DrivePrice session={session} />}
        </fieldset>
      ))}
    </div>
  )
}

/** A price of rents says nothing where nothing is rented. */
function shown(group: Control['group'], { carried }: Session): Control[] {
  return CONTROLS.filter((each) => each.group === group && (each.key !== 'rent_times' || carried.rental))
}

function One({ control, session }: { control: Control; session: Session }) {
  const { settings } = session.state
  const own = shownValue(control, settings)
  const used = own ?? (control.empty === 'derived' ? derived(control, session) : null)
  const set = (value: number | null) => {
    session.set(withValue(control, settings, value), control.key)
  }
  const { origin, why } = originOf(control, session)
  return (
    <Slider
      label={control.label}
      unit={control.unit}
      text={own === null ? '' : plainText(own)}
      placeholder={used === null ? 'no limit' : plainText(used)}
      step={toStep(control, used)}
      steps={control.empty === 'no limit' ? STEPS + 1 : STEPS}
      said={used === null ? 'no limit' : `${number.significant(used)} ${control.unit}`}
      origin={origin}
      why={why}
      onStep={(step) => {
        set(fromStep(control, step))
      }}
      onText={(text) => {
        const found = typed(control, text)
        if ('wrong' in found) return found.wrong
        set(found.value)
        return null
      }}
    />
  )
}

/** What stays where nothing is set: it follows from other settings, or is of the plan. */
function derived(control: Control, { carried, judged }: Session): number | null {
  const energy = control.key === 'usd_per_kwh' ? (carried.prices?.usd_per_kwh?.value ?? null) : null
  return shownValue(control, judged.settings) ?? energy
}

function plainText(value: number): string {
  return String(Number(value.toPrecision(4)))
}

function originOf(control: Control, session: Session): { origin: string; why: string } {
  const { carried, state } = session
  const hint = control.hint ? ` ${control.hint}` : ''
  const inPlan = shownValue(control, carried.requirements)
  if (shownValue(control, state.settings) !== inPlan) {
    const before =
      inPlan ?? (control.empty === 'derived' ? shownValue(control, session.baseline.settings) : null)
    const given = control.key === 'usd_per_kwh' ? session.judged.given['usd_per_kwh'] : undefined
    if (given) return { origin: 'set here', why: `Given: ${given.source ?? ''}.${hint}` }
    const said = before === null ? 'no limit' : `${number.significant(before)} ${control.unit}`.trim()
    return { origin: 'set here', why: `In the plan: ${said}.${hint}` }
  }
  const energy = control.key === 'usd_per_kwh' ? carried.prices?.usd_per_kwh : undefined
  if (energy?.provenance) return { origin: energy.provenance, why: `${energy.source ?? ''}.${hint}` }
  const known = carried.origins?.[control.key]
  if (known) return { origin: known.origin, why: `${known.why}.${hint}` }
  const isDerived = inPlan === null && control.empty === 'derived'
  return { origin: isDerived ? 'derived' : 'plan', why: `As in the plan.${hint}` }
}

/** The price of one drive, which a quote may settle; first that of the design looked at. */
function DrivePrice({ session }: { session: Session }) {
  const { carried, state } = session
  const [chosen, setChosen] = useState<string | null>(null)
  const line = state.picked ?? session.cheapest?.line ?? null
  const index = session.verdict(line)?.index ?? 0
  const priced = Object.entries(carried.drives).filter(([, each]) => each.price)
  const own = session.design(index)?.drive || priced[0]?.[0] // what is rented has no drive
  const name = chosen ?? Object.keys(state.settings.prices.drives)[0] ?? own ?? null
  const drive = name === null ? undefined : carried.drives[name]
  if (name === null || !drive?.price) return null
  const control = driveControl(name, drive.title, drive.price.value)
  return (
    <div class="wi-drive">
      <label>
        Price of one drive
        <select
          value={name}
          onChange={(event) => {
            setChosen(event.currentTarget.value)
          }}
        >
          {priced.map(([key, each]) => (
            <option key={key} value={key}>
              {each.title}
            </option>
          ))}
        </select>
      </label>
      <PriceSlider key={name} control={control} session={session} usd={drive.price.value} />
    </div>
  )
}

function PriceSlider({ control, session, usd }: { control: Control; session: Session; usd: number }) {
  const { settings } = session.state
  const own = shownValue(control, settings)
  const price = session.carried.drives[control.key.slice('drive:'.length)]?.price
  const source = price?.source ? `: ${price.source}` : ''
  const set = (value: number | null) => {
    session.set(withValue(control, settings, value), control.key)
  }
  return (
    <Slider
      label={control.label}
      unit="USD"
      text={own === null ? '' : plainText(own)}
      placeholder={plainText(usd)}
      step={toStep(control, own ?? usd)}
      steps={STEPS}
      said={number.money(own ?? usd)}
      origin={own === null ? (price?.provenance ?? 'plan') : 'set here'}
      why={`In the plan: ${number.money(usd)} (${number.span(number.money, price?.low, price?.high)}), ${price?.provenance ?? ''}${source}.`}
      onStep={(step) => {
        set(fromStep(control, step))
      }}
      onText={(text) => {
        const found = typed(control, text)
        if ('wrong' in found) return found.wrong
        set(found.value)
        return null
      }}
    />
  )
}

interface Question {
  text: string
  ask: (settings: Settings, used: Settings) => Settings
}

const QUESTIONS: Question[] = [
  {
    text: 'Twice the headroom',
    ask: (settings, used) => ({ ...settings, headroom: round((used.headroom ?? 1) * 2) }),
  },
  {
    text: 'Twice the growth',
    ask: (settings) => ({ ...settings, growth_per_year: round(settings.growth_per_year * 2) }),
  },
  {
    text: 'Half the latency',
    ask: (settings) => ({
      ...settings,
      p99_read_ns: half(settings.p99_read_ns),
      p99_write_ns: half(settings.p99_write_ns),
    }),
  },
  {
    text: 'One more failure',
    ask: (settings) => ({ ...settings, drive_losses: Math.min(3, settings.drive_losses + 1) }),
  },
]

function round(value: number): number {
  return Number(value.toPrecision(6))
}

function half(value: number | null): number | null {
  return value === null ? null : Math.round(value / 2)
}

function Questions({ session }: { session: Session }) {
  const { settings } = session.state
  return (
    <div class="wi-questions">
      {QUESTIONS.map(({ text, ask }) => (
        <button
          key={text}
          type="button"
          onClick={() => {
            session.set(ask(settings, session.judged.settings), `ask ${text} ${performance.now()}`)
          }}
        >
          {text}
        </button>
      ))}
      <button
        type="button"
        onClick={() => {
          session.set(session.carried.requirements, `reset ${performance.now()}`)
        }}
      >
        As in the plan
      </button>
    </div>
  )
}
