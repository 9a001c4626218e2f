/**
 * The stretch of time that is shown of a longer whole: moved, zoomed and drawn out by hand.
 *
 * All in seconds. A window never leaves the whole, and never becomes shorter than a thousandth of a millionth of it:
 * beyond that the axis could not name its ends.
 */

export interface Span {
  from: number
  to: number
}

const SHORTEST = 1e-6

/** The window, moved and shortened so that it lies in the whole. */
export function within(window: Span, whole: Span): Span {
  const all = whole.to - whole.from
  const length = Math.min(all, Math.max(window.to - window.from, all * SHORTEST))
  const from = Math.min(Math.max(window.from, whole.from), whole.to - length)
  return { from, to: from + length }
}

/** Moved by a number of seconds, as far as the whole allows. */
export function moved(window: Span, by: number, whole: Span): Span {
  return within({ from: window.from + by, to: window.to + by }, whole)
}

/** `factor` times as long, with `at` staying where it is. */
export function zoomed(window: Span, at: number, factor: number, whole: Span): Span {
  const share = (at - window.from) / (window.to - window.from || 1)
  const length = (window.to - window.from) * factor
  const all = whole.to - whole.from
  const capped = Math.min(all, Math.max(length, all * SHORTEST))
  const from = at - share * capped
  return within({ from, to: from + capped }, whole)
}

/** Drawn out between two moments, in either direction. */
export function drawn(a: number, b: number, whole: Span): Span {
  return within({ from: Math.min(a, b), to: Math.max(a, b) }, whole)
}

/** What a key does to a window; none where it is no key of ours. */
export function keyed(key: string, window: Span, whole: Span): Span | null {
  const length = window.to - window.from
  const middle = window.from + length / 2
  switch (key) {
    case 'ArrowLeft':
      return moved(window, -length / 10, whole)
    case 'ArrowRight':
      return moved(window, length / 10, whole)
    case 'PageUp':
      return moved(window, -length, whole)
    case 'PageDown':
      return moved(window, length, whole)
    case '+':
    case '=':
      return zoomed(window, middle, 0.5, whole)
    case '-':
      return zoomed(window, middle, 2, whole)
    case 'Home':
      return moved(window, whole.from - window.from, whole)
    case 'End':
      return moved(window, whole.to - window.to, whole)
    case '0':
    case 'Escape':
      return whole
    default:
      return null
  }
}

export function isWhole(window: Span, whole: Span): boolean {
  return window.from <= whole.from && window.to >= whole.to
}
