import { describe, expect, test } from 'vitest'
import { body, command, faults, FIELDS, values } from '../../src/serve/plan_fields'

describe('options of a plan', () => {
  test('have a name each, and an example that can be read', () => {
    expect(new Set(FIELDS.map(({ name }) => name)).size).toBe(FIELDS.length)
    const examples = Object.fromEntries(FIELDS.map(({ name, example }) => [name, example ?? '']))
    expect(faults(examples)).toEqual({})
  })
  test('are sent in the types of the API, and only where given', () => {
    const typed = {
      capacity: ' 320GB ',
      power: '50',
      drive_losses: '1',
      designs: 'raid1(2 * a)\n\n raid5(3 * b) ',
      caches: 'false',
      together: 'true',
      seed: '',
    }
    expect(body(typed)).toEqual({
      capacity: '320GB',
      power: 50,
      drive_losses: 1,
      designs: ['raid1(2 * a)', 'raid5(3 * b)'],
      caches: false,
      together: true,
    })
  })
  test('come back from a plan as they were typed, without what is the default', () => {
    const typed = { capacity: '2TB', designs: 'raid1(2 * a)\nraid5(3 * b)', caches: 'true', where: 'any' }
    const defaults = { peak_window: 60, spread: true, trimmed: true, seed: 0, volumes: [], today: null }
    expect(values({ ...defaults, ...body(typed) })).toEqual(typed)
  })
  test.each([
    ['capacity', 'plenty'],
    ['p99_read', '5'],
    ['growth', 'fast'],
    ['hours_per_day', '25'],
    ['peak_window', '0'],
    ['seed', '-1'],
    ['power', 'a lot'],
    ['data_loss', 'never'],
    ['seed', '1.5'],
    ['headroom', '1001'],
  ])('%s cannot be %s', (name, text) => {
    expect(Object.keys(faults({ [name]: text }))).toEqual([name])
  })
  test.each([
    ['capacity', '1.5TiB'],
    ['p99_read', '500us'],
    ['growth', '20%'],
    ['scrub', '12h'],
    ['drive_losses', '2'],
    ['years', '3y'],
    ['data_loss', '0.01%'],
    ['budget', '20k'],
  ])('%s can be %s', (name, text) => {
    expect(faults({ [name]: text })).toEqual({})
  })
  test('make a command line that a shell reads as it was typed', () => {
    const typed = {
      capacity: '2TB',
      designs: 'raid1(2 * a)',
      trimmed: 'false',
      caches: 'false',
      together: 'true',
    }
    const line = command(["it's.trace"], typed)
    expect(line).toBe(
      "drivecast plan 'it'\\''s.trace' --capacity 2TB --design 'raid1(2 * a)' --no-caches --no-trim --together",
    )
  })
  test('of files are a text, sent as it is, or a place', () => {
    const text = 'drive,price\na,1\n'
    expect(body({ quotes: text, history: ' traces/errors.jsonl ' })).toEqual({
      quotes: text,
      history: 'traces/errors.jsonl',
    })
    expect(command(['a'], { quotes: text })).toBe('drivecast plan a --quotes quotes.csv')
    expect(command(['a'], { quotes: 'lists/q.csv' })).toBe('drivecast plan a --quotes lists/q.csv')
  })
})
