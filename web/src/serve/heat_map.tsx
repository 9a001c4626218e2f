/**
 * Requests by time and address, on a canvas: one cell a bin, darker where there are more, on a logarithmic scale.
 *
 * Only the window of time is drawn. A pointer or the arrow keys pick a cell, and its count is said in words.
 */

import { useMemo, useState } from 'preact/hooks'
import type { HeatWindow as Bins } from './api'
import { useDrawn } from './drawn'
import type { Span } from './window'
import { duration } from './words'

export interface Cell {
  time: number
  address: number
}

/** How dark a cell is, from 0 to 1: by the logarithm, so that one request among thousands is still seen. */
export function darkness(count: number, most: number): number {
  if (count <= 0 || most <= 0) return 0
  return 0.12 + 0.88 * (Math.log1p(count) / Math.log1p(most))
}

export function most(bins: Bins): number {
  let high = 0
  for (const column of bins.counts) for (const count of column) if (count > high) high = count
  return high
}

/** The cell under a place, given as shares of the drawing from its upper left. */
export function cellAt(bins: Bins, window: Span, across: number, down: number): Cell {
  const rows = bins.counts[0]?.length ?? 1
  const seconds = window.from + across * (window.to - window.from)
  const time = Math.min(
    Math.max(Math.floor((seconds - bins.from_s) / bins.time_bin_s), 0),
    bins.counts.length - 1,
  )
  return { time, address: Math.min(Math.max(Math.floor((1 - down) * rows), 0), rows - 1) }
}

/** All cells as a drawing of one pixel each, dark by their count: made once, and then only stretched. */
function pictured(bins: Bins): HTMLCanvasElement | null {
  const drawn = document.createElement('canvas')
  const rows = bins.counts[0]?.length ?? 0
  const pen = drawn.getContext('2d')
  if (!rows || !pen) return null
  drawn.width = bins.counts.length
  drawn.height = rows
  const image = pen.createImageData(drawn.width, rows)
  const high = most(bins)
  bins.counts.forEach((column, time) => {
    column.forEach((count, address) => {
      image.data[4 * ((rows - 1 - address) * drawn.width + time) + 3] = Math.round(
        255 * darkness(count, high),
      )
    })
  })
  pen.putImageData(image, 0, 0)
  return drawn
}

/** As many pixels as the screen has for it; a canvas whose size is set is allocated anew. */
function fitted(canvas: HTMLCanvasElement, scale: number): void {
  const [width, height] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)]
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
}

function paint(
  canvas: HTMLCanvasElement,
  picture: HTMLCanvasElement,
  bins: Bins,
  window: Span,
  cell: Cell | null,
): void {
  const scale = devicePixelRatio || 1
  const pen = canvas.getContext('2d')
  if (!pen) return
  fitted(canvas, scale)
  pen.globalCompositeOperation = 'copy'
  const style = getComputedStyle(canvas)
  const perSecond = canvas.width / (window.to - window.from)
  const left = (bins.from_s - window.from) * perSecond
  pen.imageSmoothingEnabled = false
  pen.drawImage(picture, left, 0, picture.width * bins.time_bin_s * perSecond, canvas.height)
  pen.globalCompositeOperation = 'source-in'
  pen.fillStyle = style.getPropertyValue('--read').trim()
  pen.fillRect(0, 0, canvas.width, canvas.height)
  if (!cell) return
  pen.globalCompositeOperation = 'source-over'
  pen.strokeStyle = style.getPropertyValue('--write').trim()
  pen.lineWidth = 2 * scale
  const wide = bins.time_bin_s * perSecond
  const tall = canvas.height / picture.height
  pen.strokeRect(left + cell.time * wide, (picture.height - 1 - cell.address) * tall, wide, tall)
}

function stepped(bins: Bins, cell: Cell, key: string): Cell | null {
  const step: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
  }
  const by = step[key]
  if (!by) return null
  const rows = bins.counts[0]?.length ?? 1
  const held = (value: number, high: number) => Math.min(Math.max(value, 0), high)
  return {
    time: held(cell.time + by[0], bins.counts.length - 1),
    address: held(cell.address + by[1], rows - 1),
  }
}

export interface HeatMapProps {
  bins: Bins
  window: Span
  wordTime: (seconds: number) => string
  wordBytes: (bytes: number) => string
}

export function HeatMap({ bins, window, wordTime, wordBytes }: HeatMapProps) {
  const [cell, setCell] = useState<Cell | null>(null)
  const picture = useMemo(() => pictured(bins), [bins])
  const canvasRef = useDrawn<HTMLCanvasElement>(
    (canvas) => {
      if (picture) paint(canvas, picture, bins, window, cell)
    },
    [picture, bins, window, cell],
  )
  const pick = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect()
    setCell(
      cellAt(bins, window, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height),
    )
  }
  const keys = (event: KeyboardEvent) => {
    const next = stepped(bins, cell ?? cellAt(bins, window, 0.5, 0.5), event.key)
    if (!next) return
    event.preventDefault()
    setCell(next)
  }
  return (
    <figure class="chart heat">
      <figcaption>
        <span class="chart-title">Requests by address</span>
        <span class="reading" aria-live="polite">
          {cell
            ? worded(bins, cell, wordTime, wordBytes)
            : `${wordBytes(bins.address_bin_bytes)} and ${duration(bins.time_bin_s)} a cell`}
        </span>
      </figcaption>
      <div class="heat-frame">
        <div class="heat-scale" aria-hidden="true">
          <span>{wordBytes(bins.to_bytes)}</span>
          <span>{wordBytes(bins.from_bytes)}</span>
        </div>
        <canvas
          ref={canvasRef}
          role="application"
          aria-roledescription="heat map"
          aria-label="Requests by time and address. Arrow keys pick a cell."
          tabIndex={0}
          onPointerMove={pick}
          onPointerLeave={(event) => {
            if (event.currentTarget !== document.activeElement) setCell(null)
          }}
          onKeyDown={keys}
        />
      </div>
    </figure>
  )
}

function worded(
  bins: Bins,
  cell: Cell,
  wordTime: (s: number) => string,
  wordBytes: (b: number) => string,
): string {
  const number = (bins.counts[cell.time]?.[cell.address] ?? 0).toLocaleString('en')
  const address = wordBytes(bins.from_bytes + cell.address * bins.address_bin_bytes)
  return `${number} requests at ${wordTime(bins.from_s + cell.time * bins.time_bin_s)}, from address ${address}`
}
