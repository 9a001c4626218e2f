// The array as a shelf of bays: a block a drive, a frame around each group, and an edge that is dragged to add or take drives.

import { useState } from 'preact/hooks'
import { bays, blocks, nearest, said, shares, type Role } from './array'
import type { Parts } from './document'
import { COUNT_MAX, fitted, stepped } from './parts'
import { dragged } from './rail'

/** What is in its bays: what its edge is called, what they are, and how many there may be. */
export interface Of {
  name: string
  unit: string
  most: number
}

const ARRAY: Of = { name: 'Edge of the array', unit: 'drives', most: COUNT_MAX }

export interface ShelfProps {
  parts: Parts
  /** Where the pointer took hold. */
  base: Parts
  of?: Of
  onHold: () => void
  onParts: (parts: Parts) => void
  onRelease: () => void
  onRevert: () => void
}

const LETTERS: Record<Role, string> = { data: '', mirror: 'M', parity: 'P', spare: 'S' }
const WORDS: Record<Role, string> = { data: 'data', mirror: 'mirror', parity: 'parity', spare: 'hot spare' }
const PAGE = 4

/** Drives on a shelf with so many bays, where its edge is drawn to `x`. */
export function drawnTo(x: number, left: number, width: number, count: number): number {
  return width > 0 ? Math.round(((x - left) / width) * count) : 1
}

function keyed(key: string, parts: Parts, most: number): Parts | null {
  if (key === 'ArrowRight' || key === 'ArrowUp') {
    const more = stepped(parts, 1)
    return more.count > most + more.spares ? parts : more
  }
  if (key === 'ArrowLeft' || key === 'ArrowDown') return stepped(parts, -1)
  if (key === 'PageUp') return nearest(parts, parts.count + PAGE, most)
  if (key === 'PageDown') return nearest(parts, parts.count - PAGE, most)
  if (key === 'Home') return nearest(parts, 1, most)
  if (key === 'End') return nearest(parts, most + parts.spares, most)
  return null
}

export function Shelf({ parts, base, of = ARRAY, onParts, ...on }: ShelfProps) {
  /** From the edge to where it was taken; a press elsewhere draws the edge there. */
  const [grip, setGrip] = useState(0)
  const isOne = (parts.level ?? 'single') === 'single'
  const slots = bays(parts, of.most)
  const drives = blocks(parts)
  const move = (x: number, { left, width }: DOMRect, event: PointerEvent) => {
    const { target } = event
    const isTaken = event.type === 'pointerdown' && target instanceof HTMLElement && target.matches('.edge')
    if (event.type === 'pointerdown') setGrip(isTaken ? x - middle(target) : 0)
    if (isTaken) return
    const from = event.type === 'pointerdown' ? x : x - grip
    onParts(nearest(base, drawnTo(from, left, width, slots), of.most))
  }
  return (
    <div class="wi-array">
      <div
        class={isOne ? 'wi-shelf one' : 'wi-shelf'}
        style={{ '--bays': slots, '--count': parts.count }}
        title={
          isOne
            ? `One ${of.unit.slice(0, -1)} alone: choose a level to add ${of.unit}`
            : `Drag the edge to add or take ${of.unit}`
        }
        {...(isOne ? {} : dragged(move, on))}
      >
        {drives.map(({ role, isFirst, isLast }, at) => (
          <span
            key={at}
            class={`drive ${role}${isFirst ? ' first' : ''}${isLast ? ' last' : ''}`}
            aria-hidden="true"
          >
            {LETTERS[role]}
          </span>
        ))}
        {Array.from({ length: slots - drives.length }, (_, at) => (
          <span key={`bay ${at}`} class="bay" aria-hidden="true" />
        ))}
        <Edge parts={parts} of={of} isOne={isOne} onParts={onParts} onRevert={on.onRevert} />
      </div>
      <Legend parts={parts} unit={of.unit} />
    </div>
  )
}

type EdgeProps = Pick<ShelfProps, 'parts' | 'onParts' | 'onRevert'> & { isOne: boolean; of: Of }

function Edge({ parts, of, isOne, onParts, onRevert }: EdgeProps) {
  return (
    <span
      class="edge"
      role="slider"
      tabIndex={0}
      aria-label={of.name}
      aria-disabled={isOne}
      aria-valuemin={isOne ? 1 : fitted({ ...parts, count: 1 }).count}
      aria-valuemax={isOne ? 1 : bays(parts, of.most)}
      aria-valuenow={parts.count}
      aria-valuetext={said(parts, of.unit)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onRevert()
        const next = isOne ? null : keyed(event.key, parts, of.most)
        if (!next) return
        event.preventDefault()
        onParts(next)
      }}
    />
  )
}

function Legend({ parts, unit }: { parts: Parts; unit: string }) {
  return (
    <ul
      class="wi-legend"
      aria-label={`${unit.replace(/^./, (letter) => letter.toUpperCase())} by what they are for`}
    >
      {shares(parts).map(([role, count]) => (
        <li key={role}>
          <span class={`drive first last ${role}`} aria-hidden="true">
            {LETTERS[role]}
          </span>{' '}
          {count} {WORDS[role]}
        </li>
      ))}
    </ul>
  )
}

function middle(of: Element): number {
  const { left, width } = of.getBoundingClientRect()
  return left + width / 2
}
