/** Drawings that follow their place on the screen: drawn anew when it changes size or colours, or is scrolled to. */

import { useEffect, useRef } from 'preact/hooks'

/**
 * Calls `draw` after each change of what it is made of, and whenever its element needs it. What is off the screen is not
 * drawn: it is when it is scrolled to.
 */
export function useDrawn<T extends HTMLElement>(draw: (element: T) => void, inputs: readonly unknown[]) {
  const elementRef = useRef<T>(null)
  const drawRef = useRef(draw)
  const seenRef = useRef(true)
  useEffect(() => {
    drawRef.current = draw
  })
  useEffect(() => {
    const element = elementRef.current
    if (!element) return
    const again = () => {
      if (seenRef.current) drawRef.current(element)
    }
    const sized = new ResizeObserver(again)
    sized.observe(element)
    const seen = new IntersectionObserver(([entry]) => {
      seenRef.current = entry?.isIntersecting ?? true
      again()
    })
    seen.observe(element)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', again)
    return () => {
      sized.disconnect()
      seen.disconnect()
      scheme.removeEventListener('change', again)
    }
  }, [])
  useEffect(() => {
    if (elementRef.current && seenRef.current) drawRef.current(elementRef.current)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what the drawing is made of, as its caller names it
  }, inputs)
  return elementRef
}
