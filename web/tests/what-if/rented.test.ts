import { expect, test } from 'vitest'
import type { Carried, Design, Known, Parts, Rented } from '../../src/what-if/document'
import { LinkError, partsOf as checkedParts } from '../../src/what-if/link'
import { formOf, kinds, ofKind, prices, rentedOf } from '../../src/what-if/rented_parts'
import { Session, partsOf } from '../../src/what-if/session'
import { CARRIED, FakeCore } from './fake'

const known = (value: number): Known => ({ value, provenance: 'published', source: 'a price list' })
const rule = { included: known(3000), most: known(80000) }
const rental: NonNullable<Carried['rental']> = {
  kinds: {
    gp3: {
      rules: {
        vendor: 'Amazon',
        model: 'EBS gp3',
        gib_max: known(65536),
        iops: rule,
        mib_per_s: { included: known(125), most: known(2000) },
        steps: null,
        rent: {
          usd_per_gib: known(0.08),
          usd_per_iops: known(0.005),
          usd_per_mib_per_s: known(0.04),
          usd_per_step: {},
        },
      },
    },
  },
  volumes: { 'local-m6id': { title: 'm6id local NVMe', inside: { drives: 4, usd: known(500) } } },
  instance: null,
}
const carried: Carried = { ...CARRIED, rental }
const gp3: Rented = { kind: 'gp3', gib: 100, iops: 4000, mibps: 125 }
const one: Parts = { drive: '', level: 'single', count: 1, groups: 1, spares: 0, partition: 1, rented: gp3 }

function design(rented: Rented): Design {
  const shape = { drive: '', level: 'single', count: 1, groups: null, spares: 0, usable_bytes: 1e11 }
  return { line: 'gp3-100gib', title: 'gp3', ...shape, rented }
}

test('a rented design has parts that say what is rented', () => {
  expect(partsOf(design(gp3))).toEqual(one)
  expect(rentedOf({ ...design(gp3), rented: null })).toBeNull()
})

test('where a search begins is the same volume', () => {
  expect(formOf({ ...gp3, search: true })).toBe(formOf(gp3))
  expect(formOf({ ...gp3, gib: 101 })).not.toBe(formOf(gp3))
})

test('drives of an instance come all, mirrored', () => {
  const parts = ofKind(one, 'local-m6id', carried)
  expect(parts).toMatchObject({ level: 'raid10', count: 4, groups: 2 })
  expect(parts.rented).toMatchObject({ volume: 'local-m6id', gib: null })
  expect(kinds(carried).map(([name]) => name)).toEqual(['gp3', 'local-m6id'])
})

test('prices say how they are known', () => {
  expect(prices(carried, gp3)).toContain('A GiB, $0.08 a month: published, a price list.')
  expect(prices(carried, gp3)).toContain('An IOPS beyond 3000, $0.005')
})

test('a link brings along what is rented, if the plan knows it', () => {
  expect(checkedParts(one, carried)).toEqual(one)
  expect(() => checkedParts({ ...one, rented: { ...gp3, kind: '<script>' } }, carried)).toThrow(LinkError)
  expect(() => checkedParts({ ...one, rented: { ...gp3, iops: 'many' } }, carried)).toThrow(LinkError)
  expect(() => checkedParts(one, CARRIED)).toThrow(LinkError)
})

test('what kinds propose has its parts in the session', () => {
  const core = new FakeCore(carried)
  const judge = core.call.bind(core)
  core.call = (request) => {
    const answer = judge(request)
    const proposed = [{ index: 7777, design: design({ ...gp3, search: true }) }]
    return request.call === 'judge' ? { ...(answer as object), proposed } : answer
  }
  const session = new Session(carried, core, null)
  expect(session.design(7777)?.line).toBe('gp3-100gib')
  expect(session.lineOf(one)).toBe('gp3-100gib')
})
