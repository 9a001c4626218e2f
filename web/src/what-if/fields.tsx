// The parts of a design, to change: each change is played at once.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Parts } from './document'
import { COUNT_MAX, LEVELS, PARTITIONS, fitted, stepped } from './parts'
import type { Session } from './session'
import { OWN_MAX } from './state'

const SETTLE_MS = 150

export function Fields({ session, parts: given }: { session: Session; parts: Parts }) {
  const [parts, setParts] = useState(given)
  const [isPlaying, setPlaying] = useState(false)
  const timerRef = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(
    () => () => {
      if (timerRef.current) clearTimeout(timerRef.current)
    },
    [],
  )
  const change = (next: Parts) => {
    const whole = fitted(next)
    setParts(whole)
    if (timerRef.current) clearTimeout(timerRef.current)
    timerRef.current = setTimeout(() => {
      setPlaying(true)
      void session.play(whole).then((line) => {
        setPlaying(false)
        if (line === null) return
        const own = session.carried.designs.some((design) => design.line === line)
          ? session.state.own
          : [
              ...session.state.own.filter((each) => JSON.stringify(each) !== JSON.stringify(whole)),
              whole,
            ].slice(-OWN_MAX)
        session.change({ ...session.state, picked: line, own }, 'edit')
      })
    }, SETTLE_MS)
  }
  return (
    <fieldset class="wi-fields">
      <legend>Change it</legend>
      <Choices session={session} parts={parts} change={change} />
      <Count parts={parts} change={change} />
      <p class="muted" aria-live="polite">
        {isPlaying ? 'The simulator plays the recorded peak on it …' : ''}
      </p>
    </fieldset>
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
  return (
    <div class="wi-count">
      <label for="wi-count">Drives</label>
      <button
        type="button"
        aria-label="Fewer drives"
        disabled={isOne}
        onClick={() => {
          change(stepped(parts, -1))
        }}
      >
        −
      </button>
      <input
        id="wi-count"
        type="range"
        min={1}
        max={COUNT_MAX}
        value={parts.count}
        disabled={isOne}
        aria-valuetext={`${parts.count} drives`}
        onInput={(event) => {
          change({ ...parts, count: Number(event.currentTarget.value) })
        }}
      />
      <button
        type="button"
        aria-label="More drives"
        disabled={isOne}
        onClick={() => {
          change(stepped(parts, 1))
        }}
      >
        +
      </button>
      <output>{parts.count}</output>
    </div>
  )
}
