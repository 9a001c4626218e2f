// An amount between two ends, as it is dragged: the stops it makes on the way, and where a value is drawn.
//
// Wide ranges are drawn by ratio, narrow ones by difference. Stops are numbers that one would write: of two digits in a wide
// range, of equal steps in a narrow one, and the ends themselves.

type Range = [number, number]

/** Where the most is more times the least than this, amounts are drawn by ratio. */
const WIDE = 20
/** From one stop of a wide range to the next. */
const RATIO = 1.05
const NARROW_STOPS = 100

function isWide([low, high]: Range): boolean {
  return high > WIDE * Math.max(1, low)
}

/** Where a value is drawn, from 0 to 1. */
export function shareOf(value: number, range: Range): number {
  const [low, high] = range
  if (high <= low) return 1
  const from = Math.max(1, low)
  const share = isWide(range)
    ? Math.log(Math.max(from, value) / from) / Math.log(high / from)
    : (value - low) / (high - low)
  return Math.min(1, Math.max(0, share))
}

/** The values that a drag stops at, rising. */
export function stops(range: Range): number[] {
  const [low, high] = range
  const step = Math.max(1, Number(((high - low) / NARROW_STOPS).toPrecision(1)))
  const found = [low]
  for (let value = low; value < high;) {
    value = isWide(range) ? Math.max(1, value) * RATIO : value + step
    const few = isWide(range) ? Number(value.toPrecision(2)) : value
    const last = found[found.length - 1] ?? low
    if (Math.round(few) > last && few < high) found.push(Math.round(few))
  }
  return high > low ? [...found, high] : found
}

/** The place of the value that is nearest to one. */
export function nearestOf(values: number[], wanted: number): number {
  let best = 0
  values.forEach((value, at) => {
    if (Math.abs(value - wanted) < Math.abs((values[best] ?? value) - wanted)) best = at
  })
  return best
}
