// What is rented of a design: its parts, and what the judge says may be rented of a kind and costs. The rules of kinds are
// the core's; the page asks it.

import type { Core } from '../wasm'
import type { Carried, Design, Known, Offered, Parts, Rented } from './document'

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
