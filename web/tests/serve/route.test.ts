import { describe, expect, test } from 'vitest'
import { href, parse, section, type Route } from '../../src/serve/route'

const ROUTES: Route[] = [
  { page: 'traces' },
  { page: 'trace', id: 't-1' },
  { page: 'new-plan', traces: ['t-1', 't-2'], from: null },
  { page: 'new-plan', traces: [], from: 'p-1' },
  { page: 'plans' },
  { page: 'plan', id: 'p-1' },
  { page: 'compare', ids: ['p-1', 'p-2'] },
  { page: 'fleet' },
  { page: 'drive', serial: 'S/N 1?&#%,=' },
  { page: 'bench' },
  { page: 'result', id: 'r-1' },
  { page: 'comparison', id: 'c-1' },
]

describe('addresses', () => {
  test.each(ROUTES)('$page is found again', (route) => {
    expect(parse(href(route))).toEqual(route)
  })
  test.each(['', '#', '#/', '#/nowhere/1', '#/traces/%E0%A4%A', '#//', '#javascript:alert(1)'])(
    'unknown %s is the first page',
    (hash) => {
      expect(parse(hash)).toEqual({ page: 'traces' })
    },
  )
  test('each page is in a section', () => {
    expect(ROUTES.map(section)).toEqual([
      'traces',
      'traces',
      'plans',
      'plans',
      'plans',
      'plans',
      'plans',
      'fleet',
      'fleet',
      'bench',
      'bench',
      'bench',
    ])
  })
})
