// The parts of a design, to change: by dragging, and by fields that say the same exactly.

import * as number from '../design/number'
import { LEVEL_STOPS, driveOrder, type Stop } from './array'
import { CacheFields } from './cache_fields'
import { CacheRails } from './cache_rails'
import type { Parts } from './document'
import type { Editing } from './editing'
import { LEVELS, PARTITIONS, stepped } from './parts'
import { Rail } from './rail'
import { RentedFields } from './rented_fields'
import { RentedRails } from './rented_rails'
import type { Session } from './session'
import { Shelf } from './shelf'

interface FieldsProps {
  session: Session
  editing: Editing
  line: string
  /** Of the design looked at. */
  own: Parts
}

export function Fields({ session, editing, line, own }: FieldsProps) {
  const edit = editing.of(line)
  const parts = edit?.parts ?? own
  const change = (next: Parts) => {
    editing.to(line, own, next)
  }
  return (
    <fieldset class="wi-fields">
      <legend>Change it</legend>
      {parts.rented ? (
        <RentedFields session={session} parts={parts} change={change} />
      ) : (
        <>
          <Count parts={parts} change={change} />
          <Choices session={session} parts={parts} change={change} />
          <CacheFields session={session} parts={parts} change={change} />
        </>
      )}
    </fieldset>
  )
}

/** What is heard of a pointer that holds something. */
export interface Held {
  onHold: () => void
  onRelease: () => void
  onRevert: () => void
}

/** Drives on a rail, each with its price per terabyte. */
export function driveStops(order: ReturnType<typeof driveOrder>): Stop[] {
  return order.map(({ key, drive, usd_per_tb: usd }) => ({
    key,
    label: '',
    said: `${drive.title}, ${usd === null ? 'price per TB not known' : `${number.money(usd)} a TB`}`,
  }))
}

interface Hand {
  parts: Parts
  /** Where the pointer took hold. */
  base: Parts
  to: (some: Partial<Parts>) => void
  on: Held
}

/** What a picture of the design looked at is dragged by. */
function handOf({ editing, line, own }: FieldsProps): Hand {
  const edit = editing.of(line)
  const parts = edit?.parts ?? own
  const base = edit?.isHeld ? edit.base : parts
  return {
    parts,
    base,
    to: (some) => {
      editing.to(line, own, { ...base, ...some })
    },
    on: {
      onHold: () => {
        editing.hold(line, parts)
      },
      onRelease: () => {
        editing.release()
      },
      onRevert: () => {
        editing.revert()
      },
    },
  }
}

/** The picture of the array, and the rails of its level and its drive; or that of what is rented instead. */
export function Rails(props: FieldsProps) {
  const { session } = props
  const { parts, base, to, on } = handOf(props)
  const order = driveOrder(session.carried.drives, session.judged.given)
  if (parts.rented) return <RentedRails session={session} parts={parts} base={base} to={to} on={on} />
  return (
    <fieldset class="wi-fields wi-rails">
      <legend>Drag it</legend>
      <Shelf parts={parts} base={base} onParts={to} {...on} />
      <Rail
        label="From cheap to safe"
        stops={LEVEL_STOPS}
        at={LEVEL_STOPS.findIndex(({ key }) => key === (parts.level ?? 'single'))}
        ends={['cheap', 'safe']}
        isLabelled
        onStop={(at) => {
          to({ level: LEVEL_STOPS[at]?.key ?? parts.level })
        }}
        {...on}
      />
      <Rail
        label="By price per TB"
        stops={driveStops(order)}
        at={order.findIndex(({ key }) => key === parts.drive)}
        ends={['least a TB', 'most a TB']}
        isLabelled={false}
        onStop={(at) => {
          to({ drive: order[at]?.key ?? parts.drive })
        }}
        {...on}
      />
    </fieldset>
  )
}

/** The picture of its cache, next to what each side does; nothing of a design without one. */
export function OfCache(props: FieldsProps) {
  const { parts, base, to, on } = handOf(props)
  const { cache } = parts
  if (!cache) return null
  return (
    <CacheRails
      session={props.session}
      cache={cache}
      base={base.cache ?? cache}
      set={(next) => {
        to({ cache: next })
      }}
      on={on}
    />
  )
}

export interface PartProps {
  parts: Parts
  change: (next: Parts) => void
}

function Choices({ session, parts, change }: PartProps & { session: Session }) {
  const { drives } = session.carried
  const level = parts.level ?? 'single'
  const set = (some: Partial<Parts>) => {
    change({ ...parts, ...some })
  }
  return (
    <>
      <Choice
        label="Drive"
        value={parts.drive}
        of={Object.entries(drives).map(([name, drive]) => [name, drive.title])}
        set={(drive) => {
          set({ drive })
        }}
      />
      <Choice
        label="Level"
        value={level}
        of={Object.entries(LEVELS).map(([name, { label }]) => [name, label])}
        set={(next) => {
          set({ level: next })
        }}
      />
      {LEVELS[level]?.isGrouped && (
        <Whole
          label="Groups"
          value={parts.groups}
          low={2}
          high={8}
          set={(groups) => {
            set({ groups })
          }}
        />
      )}
      {level !== 'single' && (
        <Whole
          label="Spares"
          value={parts.spares}
          low={0}
          high={4}
          set={(spares) => {
            set({ spares, count: parts.count - parts.spares + spares })
          }}
        />
      )}
      {drives[parts.drive]?.flash !== 'HDD' && (
        <Choice
          label="Partition"
          value={String(parts.partition)}
          of={PARTITIONS.map((share) => [
            String(share),
            share === 1 ? 'all of it' : `${Math.round(share * 100)} %, the rest is spare`,
          ])}
          set={(share) => {
            set({ partition: Number(share) })
          }}
        />
      )}
    </>
  )
}

interface ChoiceProps {
  label: string
  value: string
  of: [string, string][]
  set: (value: string) => void
}

export function Choice({ label, value, of, set }: ChoiceProps) {
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={(event) => {
          set(event.currentTarget.value)
        }}
      >
        {of.map(([name, said]) => (
          <option key={name} value={name}>
            {said}
          </option>
        ))}
      </select>
    </label>
  )
}

interface WholeProps {
  label: string
  value: number
  low: number
  high: number
  set: (value: number) => void
}

export function Whole({ label, value, low, high, set }: WholeProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={low}
        max={high}
        value={value}
        onInput={(event) => {
          const typed = event.currentTarget.valueAsNumber
          if (Number.isInteger(typed) && typed >= low && typed <= high) set(typed)
        }}
      />
    </label>
  )
}

function Count({ parts, change }: PartProps) {
  const isOne = (parts.level ?? 'single') === 'single'
  const step = (by: 1 | -1, label: string, sign: string) => (
    <button
      type="button"
      aria-label={label}
      disabled={isOne}
      onClick={() => {
        change(stepped(parts, by))
      }}
    >
      {sign}
    </button>
  )
  return (
    <div class="wi-count">
      <span>Drives</span>
      {step(-1, 'Fewer drives', '−')}
      <output>{parts.count}</output>
      {step(1, 'More drives', '+')}
    </div>
  )
}
