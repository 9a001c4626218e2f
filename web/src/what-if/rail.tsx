// A rail: stops in an order that means something, and a knob dragged along them with a pointer, a finger or the arrow keys.

import type { ComponentChildren } from 'preact'
import type { Stop } from './array'

interface Drag {
  onHold: () => void
  onRelease: () => void
  onRevert: () => void
}

/** What is dragged along stops, a rail or a band. */
export interface OnStops extends Drag {
  label: string
  /** The stop it is at. */
  at: number
  /** What the two ends are. */
  ends: [string, string]
  onStop: (at: number) => void
}

export interface RailProps extends OnStops {
  stops: Stop[]
  /** Whether every stop has room for its label. */
  isLabelled: boolean
}

/** Where on a rail with so many stops a pointer is. */
export function stopAt(x: number, left: number, width: number, count: number): number {
  if (width <= 0 || count < 2) return 0
  const share = (x - left) / width
  // Each stop has an equal part of the width, and is in its middle.
  return Math.min(count - 1, Math.max(0, Math.floor(share * count)))
}

/** The stop that a key leads to; none where it is not for a rail. */
export function keyed(key: string, at: number, count: number): number | null {
  const page = Math.max(2, Math.round(count / 8))
  const next: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    PageUp: at + page,
    PageDown: at - page,
    Home: 0,
    End: count - 1,
  }
  const found = next[key]
  return found === undefined ? null : Math.min(count - 1, Math.max(0, found))
}

interface SliderProps {
  class: string
  name: string
  /** How many stops there are, and at which it is. */
  count: number
  at: number
  said: string
  onStop: (at: number) => void
  onRevert: () => void
}

/** What is dragged along stops, as a keyboard and a screen reader have it. */
export function Slider({ class: look, name, count, at, said, onStop, onRevert }: SliderProps) {
  return (
    <span
      class={look}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={at + 1}
      aria-valuetext={said}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onRevert()
        const next = keyed(event.key, at, count)
        if (next === null) return
        event.preventDefault()
        onStop(next)
      }}
    />
  )
}

interface FramedProps {
  label: string
  said: string
  ends: string[]
  children: ComponentChildren
}

/** What is dragged, under its name and value, above what its ends are. */
export function Framed({ label, said, ends, children }: FramedProps) {
  return (
    <div class="wi-rail">
      <div class="wi-rail-head">
        <span>{label}</span>
        <b>{said}</b>
      </div>
      {children}
      <div class="wi-rail-ends" aria-hidden="true">
        {ends.map((end) => (
          <span key={end}>{end}</span>
        ))}
      </div>
    </div>
  )
}

export function Rail({ label, stops, at, ends, isLabelled, ...on }: RailProps) {
  const move = (x: number, { left, width }: DOMRect) => {
    on.onStop(stopAt(x, left, width, stops.length))
  }
  const said = stops[at]?.said ?? ''
  return (
    <Framed label={label} said={said} ends={ends}>
      <div
        class={stops.length === 2 ? 'wi-track two' : 'wi-track'}
        style={{ '--stops': stops.length, '--at': at }}
        {...dragged(move, on)}
      >
        {stops.map((stop, index) => (
          <span key={stop.key} class={index === at ? 'stop on' : 'stop'} aria-hidden="true">
            {isLabelled ? stop.label : ''}
          </span>
        ))}
        <Slider
          class="knob"
          name={label}
          count={stops.length}
          at={at}
          said={said}
          onStop={on.onStop}
          onRevert={on.onRevert}
        />
      </div>
    </Framed>
  )
}

type Listener = (event: PointerEvent) => void

/** What an element listens to that is dragged: it keeps the pointer until it lets go, and its slider has the focus then. */
export function dragged(
  move: (x: number, box: DOMRect, event: PointerEvent) => void,
  on: Drag,
): Record<'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel', Listener> {
  const moved = (event: PointerEvent) => {
    if (event.currentTarget instanceof HTMLElement)
      move(event.clientX, event.currentTarget.getBoundingClientRect(), event)
  }
  const isOurs = ({ currentTarget, pointerId }: PointerEvent) =>
    currentTarget instanceof HTMLElement && currentTarget.hasPointerCapture(pointerId)
  return {
    onPointerDown: (event) => {
      if (event.button !== 0 || !(event.currentTarget instanceof HTMLElement)) return
      event.preventDefault() // no selection of text
      event.currentTarget.setPointerCapture(event.pointerId)
      event.currentTarget.querySelector<HTMLElement>('[role=slider]')?.focus({ preventScroll: true })
      on.onHold()
      moved(event)
    },
    onPointerMove: (event) => {
      if (isOurs(event)) moved(event)
    },
    onPointerUp: (event) => {
      if (isOurs(event)) on.onRelease()
    },
    onPointerCancel: (event) => {
      if (!isOurs(event)) return
      on.onRevert()
      on.onRelease()
    },
  }
}
