// A band: as much of it is filled as is taken of a whole, and its edge is dragged with a pointer, a finger or the arrow keys.

import { nearestOf } from './amount'
import { Framed, Slider, dragged, type OnStops } from './rail'

export interface BandProps extends OnStops {
  /** Of its edge, as a screen reader says it. */
  name: string
  /** How much is taken, in words. */
  said: string
  /** Where its edge may stop, from 0 to 1, rising. */
  shares: number[]
  /** Where the edge is drawn: a value that was typed may lie between two stops. */
  share: number
  /** A place that means something, with what it means. */
  mark?: { share: number; said: string } | undefined
  /** Whether what is not taken is of use nevertheless. */
  isRestUsed?: boolean
}

/** The stop at a pointer. */
export function stopNear(x: number, left: number, width: number, shares: number[]): number {
  return width > 0 ? nearestOf(shares, (x - left) / width) : 0
}

export function Band({ label, name, said, shares, at, share, ends, mark, isRestUsed, ...on }: BandProps) {
  const move = (x: number, { left, width }: DOMRect) => {
    on.onStop(stopNear(x, left, width, shares))
  }
  return (
    <Framed label={label} said={said} ends={mark ? [ends[0], mark.said, ends[1]] : ends}>
      <div
        class={isRestUsed ? 'wi-band used' : 'wi-band'}
        style={{ '--share': share }}
        {...dragged(move, on)}
      >
        <span class="fill" aria-hidden="true" />
        {mark && mark.share > 0 && mark.share < 1 && (
          <span class="mark-at" style={{ '--share': mark.share }} title={mark.said} aria-hidden="true" />
        )}
        <Slider
          class="edge"
          name={name}
          count={shares.length}
          at={at}
          said={mark ? `${said}; ${mark.said}` : said}
          onStop={on.onStop}
          onRevert={on.onRevert}
        />
      </div>
    </Framed>
  )
}
