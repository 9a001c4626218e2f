// A figure with its origin. One note for the whole page shows it: over the figure that the pointer is on or that has
// the focus. It is a description of that figure, so a screen reader says it, too; Escape takes it away.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export const ORIGINS: Record<string, string> = {
  given: 'Given',
  measured: 'Measured',
  derived: 'Derived',
  published: 'Published',
  fitted: 'Fitted',
  assumed: 'Assumed',
  simulated: 'Simulated',
}

export interface FigureProps {
  children: ComponentChildren
  /** How the figure is known, and from what. */
  origin: string
  why?: string | undefined
  /** Whether Tab comes here; cells of a table are reached with the arrow keys instead. */
  isStop?: boolean
}

/** What `OriginNote` reads off the element. */
function noted(origin: string, why?: string): Record<string, string> {
  return { 'data-origin': ORIGINS[origin] ?? origin, ...(why ? { 'data-why': why } : {}) }
}

export function Figure({ children, origin, why, isStop = true }: FigureProps) {
  return (
    <span class="figure" {...(isStop ? { tabIndex: 0 } : {})} {...noted(origin, why)}>
      {children}
    </span>
  )
}

const NOTE = 'dc-origin-note'
const GAP_PX = 6

/** The note itself, once in a page; it serves all figures inside `root`. */
export function OriginNote() {
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = note.current
    const root = box?.parentElement
    if (!box || !root) return
    return serve(box, root)
  }, [])
  return <div ref={note} id={NOTE} class="dc-origin" role="tooltip" hidden />
}

function serve(box: HTMLElement, root: HTMLElement): () => void {
  let shown: Element | null = null
  const hide = () => {
    shown?.removeAttribute('aria-describedby')
    shown = null
    box.hidden = true
  }
  const show = (event: Event) => {
    const { target } = event
    if (!(target instanceof Element)) return
    const of =
      target.closest('[data-origin]') ??
      (event.type === 'focusin' ? target.querySelector('[data-origin]') : null)
    if (!of) {
      if (event.type === 'mouseover') hide()
      return
    }
    if (of === shown) return
    hide()
    shown = of
    const head = document.createElement('b')
    head.textContent = of.getAttribute('data-origin')
    box.replaceChildren(head, of.getAttribute('data-why') ?? '')
    box.hidden = false
    of.setAttribute('aria-describedby', NOTE)
    place(box, of, root)
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Escape') hide()
  }
  root.addEventListener('mouseover', show)
  root.addEventListener('mouseleave', hide)
  root.addEventListener('focusin', show)
  root.addEventListener('focusout', hide)
  root.addEventListener('keydown', key)
  return () => {
    root.removeEventListener('mouseover', show)
    root.removeEventListener('mouseleave', hide)
    root.removeEventListener('focusin', show)
    root.removeEventListener('focusout', hide)
    root.removeEventListener('keydown', key)
  }
}

/** Below the figure, or above it where the window ends; never beyond its sides. */
function place(box: HTMLElement, of: Element, root: HTMLElement): void {
  const at = of.getBoundingClientRect()
  const within = root.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = box
  const left = Math.min(Math.max(at.left, 8), document.documentElement.clientWidth - width - 8)
  const isBelow = at.bottom + GAP_PX + height < window.innerHeight || at.top < height + GAP_PX
  box.style.left = `${left - within.left}px`
  box.style.top = `${(isBelow ? at.bottom + GAP_PX : at.top - height - GAP_PX) - within.top}px`
}
