// What is rented of a design: its parts, and what the judge says may be rented of a kind and costs. The rules of kinds are
// the core's; the page asks it.

import type { Core } from '../wasm'
import type { Carried, Design, Known, Offered, Parts, Rented } from './document'

export const VOLUMES_LEVELS = ['single', 'raid0', 'raid1', 'raid10']
export const VOLUMES_MAX = 8

export function rentedOf({ rented }: Design): Rented | null {
  if (!rented) return null
  const { kind, gib, iops, mibps, volume, instance, search } = rented
  return {
    kind,
    gib,
    iops,
    mibps,
    ...(volume ? { volume } : {}),
    ...(instance ? { instance } : {}),
    ...(search ? { search } : {}),
  }
}

/** As one text: where a search begins is what it is. */
export function formOf({ kind, gib, iops, mibps, volume, instance }: Rented): string {
  return JSON.stringify([kind, gib, iops, mibps, volume ?? null, instance ?? null])
}

/** What may be rented next to these parts; nothing of what no kind has. */
export function offered(core: Core, { rented, count }: Parts): Offered | null {
  if (!rented) return null
  return core.call({ call: 'rent', rented, volumes: count }) as Offered
}

/** Kinds to choose from, and drives inside of instances, by what they are called. */
export function kinds({ rental }: Carried): [string, string][] {
  const inside = Object.entries(rental?.volumes ?? {}).filter(([, volume]) => volume.inside)
  return [
    ...Object.entries(rental?.kinds ?? {}).map(([name, { rules }]): [string, string] => [
      name,
      `${rules.vendor} ${rules.model}`,
    ]),
    ...inside.map(([name, volume]): [string, string] => [name, volume.title]),
  ]
}

/** The parts with another kind: of the same size, with what comes with it. */
export function ofKind(parts: Parts, kind: string, { rental }: Carried): Parts {
  const instance = rental?.instance ?? undefined
  const inside = rental?.volumes[kind]?.inside
  if (inside) {
    const level = inside.drives === 1 ? 'single' : inside.drives === 2 ? 'raid1' : 'raid10'
    const rented = { kind, gib: null, iops: null, mibps: null, volume: kind }
    return { ...parts, level, count: inside.drives, groups: inside.drives / 2, rented }
  }
  const gib = parts.rented?.gib ?? 100
  const rented = { kind, gib, iops: 0, mibps: 0, ...(instance ? { instance } : {}) }
  return { ...parts, rented }
}

/** What is rented with other parts, within the rules of its kind: a volume of the catalog is one of its kind once changed. */
export function withRented(core: Core, parts: Parts, some: Partial<Rented>): Rented {
  const { kind, gib, iops, mibps, instance } = parts.rented ?? NONE
  const rented = { kind, gib, iops, mibps, ...(instance ? { instance } : {}), ...some }
  return offered(core, { ...parts, rented })?.rented ?? rented
}

const NONE: Rented = { kind: '', gib: null, iops: null, mibps: null }

/** The parts with another kind, with the least that may be rented of it. */
export function ofKindFitted(core: Core, carried: Carried, parts: Parts, kind: string): Parts {
  const next = ofKind(parts, kind, carried)
  const rented = offered(core, next)?.rented ?? parts.rented
  return rented ? { ...next, rented } : next
}

/** Kinds in order of what this size costs a month. */
export function byRent(
  core: Core,
  carried: Carried,
  parts: Parts,
): { key: string; title: string; usd: number | null }[] {
  return kinds(carried)
    .map(([key, title]) => {
      const month = offered(core, ofKind(parts, key, carried))?.month
      const usd = month ? month.capacity_usd + month.iops_usd + month.mib_per_s_usd : null
      return { key, title, usd }
    })
    .sort((a, b) => (a.usd ?? Infinity) - (b.usd ?? Infinity) || (a.key < b.key ? -1 : 1))
}

/** A rule's or a price's number, with how it is known. */
export function why(known: Known | null | undefined, what: string): string {
  return known ? `${what}: ${known.provenance}, ${known.source}.` : ''
}

/** The prices behind a rent, each with how it is known. */
export function prices({ rental }: Carried, { kind, gib }: Rented): string {
  const inside = rental?.volumes[kind]?.inside
  if (inside) return why(inside.usd, `All drives of the instance, $${inside.usd.value} a month`)
  const rules = rental?.kinds[kind]?.rules
  const rent = rules?.rent
  if (!rules || !rent) return ''
  const step = Object.entries(rules.steps ?? {}).find(([, each]) => each.gib === gib)?.[0]
  return [
    why(rent.usd_per_gib, `A GiB, $${rent.usd_per_gib?.value} a month`),
    why(
      step ? rent.usd_per_step[step] : null,
      `This size, $${step ? rent.usd_per_step[step]?.value : ''} a month`,
    ),
    why(rent.usd_per_iops, `An IOPS beyond ${rules.iops?.included.value}, $${rent.usd_per_iops?.value}`),
    why(
      rent.usd_per_mib_per_s,
      `A MiB/s beyond ${rules.mib_per_s?.included.value}, $${rent.usd_per_mib_per_s?.value}`,
    ),
  ]
    .filter(Boolean)
    .join(' ')
}
