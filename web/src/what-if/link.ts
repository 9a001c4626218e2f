// A state as a link and as a file. Both come from other people, so all is checked: the version, whose plan it is of,
// and every value. What does not pass is refused whole, with a sentence; the page stays as it was.

import { CONTROLS, driveControl, shownValue } from './control'
import type { CacheParts, Carried, Parts, Rented, Settings } from './document'
import { OWN_MAX, PINS_MAX, type State } from './state'

export const VERSION = 1
const MARK = 'what-if='

export class LinkError extends Error {}

interface Saved {
  drivecast_what_if: number
  plan: string
  state: unknown
}

/** Distinguishes plans: of the same requirements and designs, the same sixteen digits. */
export function planOf(carried: Carried): string {
  const text = JSON.stringify([
    carried.seed,
    carried.requirements,
    carried.designs.map((design) => design.line),
  ])
  let [one, two] = [0x811c9dc5, 0x01000193]
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193)
    two = Math.imul(two ^ text.charCodeAt(at), 0x85ebca6b) ^ (one >>> 13)
  }
  return [one, two].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}

function saved(state: State, carried: Carried): Saved {
  return { drivecast_what_if: VERSION, plan: planOf(carried), state }
}

export function toFile(state: State, carried: Carried): string {
  return `${JSON.stringify(saved(state, carried), null, 2)}\n`
}

export function toFragment(state: State, carried: Carried): string {
  const bytes = new TextEncoder().encode(JSON.stringify(saved(state, carried)))
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return `#${MARK}${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
}

/** The state in a fragment; nothing if there is none in it. */
export function fromFragment(fragment: string, carried: Carried): State | null {
  const text = fragment.replace(/^#/, '')
  if (!text.startsWith(MARK)) return null
  let json: string
  try {
    const letters = atob(text.slice(MARK.length).replaceAll('-', '+').replaceAll('_', '/'))
    json = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(letters, (letter) => letter.charCodeAt(0)),
    )
  } catch {
    throw new LinkError('The link is damaged: copy it again, whole.')
  }
  return fromFile(json, carried)
}

export function fromFile(text: string, carried: Carried): State {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new LinkError('This is no saved what-if: it is not JSON.')
  }
  const { drivecast_what_if: version, plan, state } = (document ?? {}) as Partial<Saved>
  if (version === undefined) throw new LinkError('This is no saved what-if: it does not say so.')
  if (version !== VERSION) {
    const said = JSON.stringify(version).slice(0, 20)
    throw new LinkError(
      `It was saved by another version of Drivecast (${said}, here ${VERSION}): set it up again here.`,
    )
  }
  if (plan !== planOf(carried)) {
    throw new LinkError('It belongs to another plan: open it in the report in which it was saved.')
  }
  return checked(state, carried)
}

function checked(state: unknown, carried: Carried): State {
  const given = record(state, 'state')
  const picked = given['picked'] ?? null
  if (picked !== null && typeof picked !== 'string') throw wrong('picked')
  return {
    settings: settings(given['settings'], carried),
    picked,
    pins: list(given['pins'], 'pins', PINS_MAX).map((pin) => {
      if (typeof pin !== 'string') throw wrong('pins')
      return pin
    }),
    own: list(given['own'], 'own', OWN_MAX).map((parts) => partsOf(parts, carried)),
  }
}

function settings(value: unknown, carried: Carried): Settings {
  const given = record(value, 'settings')
  const prices = record(given['prices'], 'prices')
  const drives = record(prices['drives'], 'prices.drives')
  const found = { ...given, prices: { ...prices, drives } } as unknown as Settings
  let result = structuredClone(carried.requirements)
  for (const control of CONTROLS) {
    const read = control.read(found) as unknown
    if (read === null && control.empty) result = control.write(result, null)
    else if (typeof read !== 'number' || !Number.isFinite(read)) throw wrong(control.key)
    else if (isOut(shownValue(control, found) ?? NaN, shownValue(control, carried.requirements), control)) {
      throw wrong(control.key)
    } else result = control.write(result, read)
  }
  for (const [name, usd] of Object.entries(drives)) {
    const drive = carried.drives[name]
    if (!Object.hasOwn(carried.drives, name) || !drive) throw wrong(`prices.drives.${name.slice(0, 40)}`)
    if (typeof usd !== 'number' || !(usd > 0 && usd < 1e7)) throw wrong(`prices.drives.${name}`)
    result = driveControl(name, drive.title, usd).write(result, usd)
  }
  return result
}

/** A plan may require more than a slider reaches: its own value always passes. */
function isOut(shown: number, ofPlan: number | null, { low, high }: { low: number; high: number }): boolean {
  return !(shown >= low && shown <= high) && shown !== ofPlan
}

export function partsOf(value: unknown, carried: Carried): Parts {
  const { rented } = record(value, 'own')
  if (rented === undefined) return cachedOf(value, carried)
  const { level, count, groups } = record(value, 'own')
  if (level !== null && typeof level !== 'string') throw wrong('own.level')
  if (![count, groups].every((n) => typeof n === 'number' && n >= 0 && n <= 256)) throw wrong('own.count')
  const shape = { drive: '', level, count: count as number, groups: groups as number }
  return { ...shape, spares: 0, partition: 1, rented: rentedOf(rented, carried) }
}

function rentedOf(value: unknown, { rental }: Carried): Rented {
  const { kind, gib, iops, mibps, volume, instance, search } = record(value, 'own.rented')
  const isKnown = (name: unknown) =>
    typeof name === 'string' && (Object.hasOwn(rental?.kinds ?? {}, name) || isVolume(name))
  const isVolume = (name: unknown) => typeof name === 'string' && Object.hasOwn(rental?.volumes ?? {}, name)
  const isNumber = (n: unknown) => n === null || (typeof n === 'number' && n >= 0 && n < 1e9)
  if (!isKnown(kind)) throw wrong('own.rented.kind')
  if (![gib, iops, mibps].every(isNumber)) throw wrong('own.rented.gib')
  if (volume !== undefined && !isVolume(volume)) throw wrong('own.rented.volume')
  if (instance !== undefined && instance !== rental?.instance) throw wrong('own.rented.instance')
  return {
    kind: kind as string,
    gib: gib as number | null,
    iops: iops as number | null,
    mibps: mibps as number | null,
    ...(volume === undefined ? {} : { volume: volume as string }),
    ...(instance === undefined ? {} : { instance: instance as string }),
    ...(search === true ? { search: true } : {}),
  }
}

function cachedOf(value: unknown, carried: Carried): Parts {
  const { cache } = record(value, 'own')
  const own = drivesOf(value, carried)
  return cache === undefined ? own : { ...own, cache: cacheOf(cache, carried) }
}

const WORD = /^[a-z0-9-]{1,40}$/

function cacheOf(value: unknown, carried: Carried): CacheParts {
  const { policy, mode, options, size_bytes } = record(value, 'own.cache')
  if (typeof policy !== 'string' || !WORD.test(policy)) throw wrong('own.cache.policy')
  if (typeof mode !== 'string' || !WORD.test(mode)) throw wrong('own.cache.mode')
  if (typeof options !== 'string' || options.length > 200) throw wrong('own.cache.options')
  const isSize = size_bytes === null || (Number.isInteger(size_bytes) && (size_bytes as number) > 0)
  if (!isSize) throw wrong('own.cache.size_bytes')
  return { ...drivesOf(value, carried), policy, mode, options, size_bytes: size_bytes as number | null }
}

function drivesOf(value: unknown, carried: Carried): Parts {
  const { drive, level, count, groups, spares, partition } = record(value, 'own')
  if (typeof drive !== 'string' || !Object.hasOwn(carried.drives, drive)) throw wrong('own.drive')
  if (level !== null && typeof level !== 'string') throw wrong('own.level')
  const whole = [count, groups, spares].every(
    (n) => Number.isInteger(n) && (n as number) >= 0 && (n as number) <= 256,
  )
  if (!whole) throw wrong('own.count')
  if (typeof partition !== 'number' || !(partition > 0 && partition <= 1)) throw wrong('own.partition')
  return {
    drive,
    level,
    count: count as number,
    groups: groups as number,
    spares: spares as number,
    partition,
  }
}

function wrong(field: string): LinkError {
  return new LinkError(
    `The saved what-if is damaged: \`${field}\` is not what it should be. Nothing was changed.`,
  )
}

function record(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(field)
  return value as Record<string, unknown>
}

function list(value: unknown, field: string, most: number): unknown[] {
  if (!Array.isArray(value) || value.length > most) throw wrong(field)
  return value
}
