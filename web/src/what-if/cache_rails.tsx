// The picture of a cache, to drag: its drives, what it takes of their flash, its level, its drive, and what it does with writes.

import * as number from '../design/number'
import { nearestOf } from './amount'
import { LEVEL_STOPS, driveOrder, shares, type Stop } from './array'
import { Band } from './band'
import { CACHE_COUNT_MAX, CACHE_LEVELS, MODES, flash } from './cache_parts'
import type { CacheParts } from './document'
import { driveStops, type Held } from './fields'
import { PARTITIONS, fitted } from './parts'
import { Rail } from './rail'
import type { Session } from './session'
import { Shelf } from './shelf'

const TAKEN = [...PARTITIONS].sort((a, b) => a - b)
/** From what loses nothing with the cache to what is fastest. */
const MODE_STOPS: Stop[] = [
  { key: 'writethrough', label: 'write-through', said: 'what is behind has all data' },
  { key: 'writeback', label: 'write-back', said: 'the cache alone has the newest data' },
]
const CACHE = { name: 'Edge of the cache', unit: 'drives', most: CACHE_COUNT_MAX }

interface Props {
  session: Session
  cache: CacheParts
  /** Where the pointer took hold. */
  base: CacheParts
  set: (next: CacheParts) => void
  on: Held
}

export function CacheRails({ session, cache, base, set, on }: Props) {
  const put = (some: Partial<CacheParts>) => {
    set(fitted({ ...base, ...some }))
  }
  const level = cache.level ?? 'single'
  const levels = LEVEL_STOPS.filter(({ key }) => CACHE_LEVELS.includes(key) || key === level)
  const fast = flash(session.carried)
  const order = driveOrder(session.carried.drives, session.judged.given).filter(({ key }) =>
    fast.includes(key),
  )
  return (
    <fieldset class="wi-fields wi-rails wi-cache">
      <legend>Drag its cache</legend>
      <Shelf parts={cache} base={base} of={CACHE} onParts={put} {...on} />
      {cache.size_bytes === null && <Taken session={session} cache={cache} put={put} on={on} />}
      <Rail
        label="The cache, from cheap to safe"
        stops={levels}
        at={levels.findIndex(({ key }) => key === level)}
        ends={['cheap', 'safe']}
        isLabelled
        onStop={(at) => {
          put({ level: levels[at]?.key ?? level })
        }}
        {...on}
      />
      <Rail
        label="Its flash, by price per TB"
        stops={driveStops(order)}
        at={order.findIndex(({ key }) => key === cache.drive)}
        ends={['least a TB', 'most a TB']}
        isLabelled={false}
        onStop={(at) => {
          put({ drive: order[at]?.key ?? cache.drive })
        }}
        {...on}
      />
      {cache.mode in MODES && (
        <Rail
          label="What it does with writes"
          stops={MODE_STOPS}
          at={MODE_STOPS.findIndex(({ key }) => key === cache.mode)}
          ends={['loses nothing', 'fastest']}
          isLabelled
          onStop={(at) => {
            put({ mode: MODE_STOPS[at]?.key ?? cache.mode })
          }}
          {...on}
        />
      )}
    </fieldset>
  )
}

type TakenProps = Omit<Props, 'base' | 'set'> & { put: (some: Partial<CacheParts>) => void }

/** How much of its flash the cache takes: the rest is spare, which spares it wear. */
function Taken({ session, cache, put, on }: TakenProps) {
  const each = session.carried.drives[cache.drive]?.user_bytes
  const data = shares(cache).find(([role]) => role === 'data')?.[1] ?? 1
  const all = each ? each * data : undefined
  const share = number.percent(cache.partition)
  const of = all ? `${number.size(all * cache.partition)} of ${number.size(all)}` : share
  return (
    <Band
      label="What the cache takes"
      name="Edge of what the cache takes"
      said={cache.partition === 1 ? `${of}, no spare` : `${of}, the rest spare`}
      shares={TAKEN}
      at={nearestOf(TAKEN, cache.partition)}
      share={cache.partition}
      ends={['none', 'all of its flash']}
      isRestUsed
      onStop={(at) => {
        put({ partition: TAKEN[at] ?? cache.partition })
      }}
      {...on}
    />
  )
}
