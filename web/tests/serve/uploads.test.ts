import { describe, expect, test } from 'vitest'
import { grouped, refusedBefore } from '../../src/serve/uploads'

const file = (name: string) => new File(['x'], name)

describe('files that are dropped in', () => {
  test('are one trace where they are the files a CPU of one blktrace', () => {
    const names = ['a.blktrace.10.xz', 'b.csv', 'a.blktrace.2.xz', 'a.blktrace.0.xz', 'c.blktrace.0']
    const groups = grouped(names.map(file)).map(({ name, files }) => [name, files.map((each) => each.name)])
    expect(groups).toEqual([
      ['a.blktrace', ['a.blktrace.0.xz', 'a.blktrace.2.xz', 'a.blktrace.10.xz']],
      ['b.csv', ['b.csv']],
      ['c.blktrace', ['c.blktrace.0']],
    ])
  })
  test('are refused before they are sent where they are too large, or empty', () => {
    expect(refusedBefore('a', 10e9, 2e9)).toMatch(/10 GB.*2 GB at most/)
    expect(refusedBefore('a', 0, 2e9)).toMatch(/empty/)
    expect(refusedBefore('a', 1e9, 2e9)).toBeNull()
    expect(refusedBefore('a', 1e12, null)).toBeNull()
  })
})
