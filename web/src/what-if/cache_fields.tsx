// A cache before disks: its parts to change, and what it makes each side do.

import * as number from '../design/number'
import { Figure } from '../design/origin'
import {
  CACHE_COUNT_MAX,
  CACHE_LEVELS,
  MODES,
  firstCache,
  flash,
  mayHaveCache,
  withoutCache,
} from './cache_parts'
import type { CacheParts, Side, Verdict } from './document'
import { Choice, Whole, type PartProps } from './fields'
import * as origin from './origin'
import { LEVELS, PARTITIONS, fitted, stepped } from './parts'
import type { Session } from './session'

export function CacheFields({ session, parts, change }: PartProps & { session: Session }) {
  const { carried } = session
  const { cache } = parts
  if (!cache) {
    const first = mayHaveCache(parts, carried) ? firstCache(carried) : null
    return first ? (
      <button
        type="button"
        onClick={() => {
          change({ ...parts, cache: first })
        }}
      >
        Add a flash cache
      </button>
    ) : null
  }
  return (
    <fieldset>
      <legend>Its cache</legend>
      <Parts
        session={session}
        cache={cache}
        set={(next) => {
          change({ ...parts, cache: next })
        }}
      />
      <button
        type="button"
        onClick={() => {
          change(withoutCache(parts))
        }}
      >
        Without the cache
      </button>
    </fieldset>
  )
}

interface Props {
  session: Session
  cache: CacheParts
  set: (next: CacheParts) => void
}

function Parts({ session, cache, set }: Props) {
  const { drives } = session.carried
  const level = cache.level ?? 'single'
  const levels = CACHE_LEVELS.includes(level) ? CACHE_LEVELS : [...CACHE_LEVELS, level]
  const put = (some: Partial<CacheParts>) => {
    set({ ...cache, ...some })
  }
  return (
    <>
      <Choice
        label="Cache drive"
        value={cache.drive}
        of={flash(session.carried).map((name) => [name, drives[name]?.title ?? name])}
        set={(drive) => {
          put({ drive })
        }}
      />
      <Choice
        label="Cache level"
        value={level}
        of={levels.map((name) => [name, LEVELS[name]?.label ?? name])}
        set={(next) => {
          put(fitted({ ...cache, level: next }))
        }}
      />
      {level !== 'single' && (
        <Whole
          label="Cache drives"
          value={cache.count}
          low={LEVELS[level]?.least ?? 1}
          high={CACHE_COUNT_MAX}
          set={(count) => {
            put(stepped(cache, count < cache.count ? -1 : 1))
          }}
        />
      )}
      <Choice
        label="Cache partition"
        value={String(cache.partition)}
        of={PARTITIONS.map((share) => [
          String(share),
          share === 1 ? 'all of it' : `${Math.round(share * 100)} %, the rest is spare`,
        ])}
        set={(share) => {
          put({ partition: Number(share) })
        }}
      />
      {cache.mode in MODES && (
        <Choice
          label="Cache mode"
          value={cache.mode}
          of={Object.entries(MODES)}
          set={(mode) => {
            put({ mode })
          }}
        />
      )}
    </>
  )
}

const NAMES = { cache: 'Cache', disks: 'Behind it' }

/** Whether writing wears a side: it does not wear disks. */
function wears(session: Session, { index }: Verdict, { name }: Side): boolean {
  const design = session.design(index)
  const drive = name === 'cache' ? design?.cached?.cache.drive : design?.drive
  return !drive || session.carried.drives[drive]?.flash !== 'HDD'
}

type Row = [string, (side: Side) => origin.Known]

/** What each side of a cached design does and costs; nothing of another design. */
export function Sides({ session, verdict }: { session: Session; verdict: Verdict }) {
  const { sides } = verdict
  if (!sides?.length) return null
  const hits = session.design(verdict.index)?.cached?.hit_ratio
  const withOpen = (side: Side) =>
    verdict.life_is_open && !side.life_years && side.written_bytes_per_day > 0
      ? { ...side, life_is_open: true }
      : side
  const rows: Row[] = [
    ['Cost', (side) => origin.span(number.money, side.total_usd, 'Purchase, energy and replacements.')],
    ['Life', (side) => (wears(session, verdict, side) ? origin.life(withOpen(side)) : origin.NO_WEAR)],
    ['Data loss', (side) => origin.lossOfSide(side)],
    ['Power', (side) => origin.span(number.power, side.power_w, 'Of its drives, idle and at work.')],
    ['Busy at the peak', (side) => origin.busy(side)],
    ['Written a day', (side) => origin.written(side)],
  ]
  return (
    <table class="wi-sides">
      <caption>
        Each side, judged for what the cache sends it
        {typeof hits === 'number' && `; ${number.percent(hits)} of the requests hit the warm cache`}
      </caption>
      <thead>
        <tr>
          <td />
          {sides.map(({ name }) => (
            <th key={name} scope="col" class="num">
              {NAMES[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, known]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {sides.map((side) => {
              const { text, origin: how, why } = known(side)
              return (
                <td key={side.name} class="num">
                  <Figure origin={how} why={why}>
                    {text}
                  </Figure>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
