// The table of designs. Its cells are one stop of Tab: arrow keys move among them, and each figure shows its origin
// when it has the focus; Enter looks at the row's design, P pins it.

import { useRef, useState } from 'preact/hooks'
import { ORIGINS } from '../design/origin'
import { title } from './answer'
import type { Verdict } from './document'
import * as origin from './origin'
import { reason } from './reason'
import { rows, type Order, type Row } from './rows'
import type { Session } from './session'
import { pinned } from './state'

const FIRST = 20
const PAGE = 50

interface Column {
  order: Order
  label: string
  of: (verdict: Verdict, session: Session) => origin.Known
  /** Whether it is of the peak that is asked, which the head then says. */
  isOfPeak?: boolean
}

const COLUMNS: Column[] = [
  {
    order: 'total',
    label: 'Cost',
    of: (verdict, session) => origin.total(verdict, session, session.design(verdict.index)),
  },
  { order: 'headroom', label: 'Headroom', of: origin.headroom },
  {
    order: 'read',
    label: 'p99 read',
    of: (verdict, session) => origin.p99(verdict, 'read', session),
    isOfPeak: true,
  },
  {
    order: 'write',
    label: 'p99 write',
    of: (verdict, session) => origin.p99(verdict, 'write', session),
    isOfPeak: true,
  },
  { order: 'life', label: 'Life', of: origin.life },
  { order: 'loss', label: 'Data loss', of: origin.loss },
  { order: 'power', label: 'Power', of: origin.power },
]

const MARKS = { fits: '✓', misses: '✗', unknown: '…' }
const SAID = { fits: 'fits', misses: 'misses', unknown: 'unknown' }

export function Designs({ session, looked }: { session: Session; looked: string | null }) {
  const [order, setOrder] = useState<Order>('rank')
  const [shown, setShown] = useState(FIRST)
  const all = rows(session, order)
  return (
    <div class="wi-designs">
      <h3 id="wi-designs">
        Designs <span class="muted">{counts(session)}</span>
      </h3>
      <Grid session={session} looked={looked} rows={all.slice(0, shown)} order={order} onOrder={setOrder} />
      {all.length > shown && (
        <button
          type="button"
          onClick={() => {
            setShown(shown + PAGE)
          }}
        >
          Show {Math.min(PAGE, all.length - shown)} more of {all.length - shown}
        </button>
      )}
    </div>
  )
}

function counts(session: Session): string {
  const { designs } = session.judged
  const of = (state: Verdict['state']) => designs.filter((verdict) => verdict.state === state).length
  const unknown = session.unknown.length
  return `${of('fits')} fit, ${of('misses')} miss${unknown ? `, ${unknown} not tried at this load` : ''}`
}

interface GridProps {
  session: Session
  looked: string | null
  rows: Row[]
  order: Order
  onOrder: (order: Order) => void
}

/** Moves the focus among cells; gives whether a key was meant for it. */
function arrowed(event: KeyboardEvent, grid: HTMLElement): boolean {
  const cell = (event.target as HTMLElement).closest<HTMLElement>('[role=gridcell],[role=rowheader]')
  const row = cell?.closest('[role=row]')
  if (!cell || !row) return false
  const lines = [...grid.querySelectorAll('tbody [role=row]')]
  const at = lines.indexOf(row)
  const column = [...row.children].indexOf(cell)
  const steps: Record<string, [number, number]> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
    Home: [0, -column],
    End: [0, row.children.length - 1 - column],
  }
  const step = steps[event.key]
  if (!step) return false
  const next = lines[at + step[0]]?.children[column + step[1]]
  if (!(next instanceof HTMLElement)) return true
  for (const stop of grid.querySelectorAll('[tabindex="0"][role]')) stop.setAttribute('tabindex', '-1')
  next.setAttribute('tabindex', '0')
  next.focus()
  return true
}

function headed({ label, isOfPeak }: Column, session: Session): string {
  return isOfPeak ? label + origin.p99Load(session) : label
}

function Grid({ session, looked, rows: shown, order, onOrder }: GridProps) {
  const grid = useRef<HTMLTableElement>(null)
  const sort = (name: Order, label: string) => (
    <th
      key={name}
      class={name === 'rank' ? '' : 'num'}
      aria-sort={name === order ? 'ascending' : 'none'}
      role="columnheader"
    >
      <button
        type="button"
        class="bare"
        onClick={() => {
          onOrder(name)
        }}
      >
        {label}
        <span aria-hidden="true">{name === order ? ' ↓' : ''}</span>
      </button>
    </th>
  )
  return (
    <table
      ref={grid}
      role="grid"
      aria-labelledby="wi-designs"
      class="wi-grid"
      onKeyDown={(event) => {
        if (grid.current && arrowed(event, grid.current)) event.preventDefault()
      }}
    >
      <thead>
        <tr role="row">
          {sort('rank', 'Design')}
          {COLUMNS.map((column) => sort(column.order, headed(column, session)))}
          <th role="columnheader">Verdict</th>
          <th role="columnheader">
            <span class="hidden">Pin</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map((row, at) => (
          <Line
            key={row.verdict.line}
            row={row}
            session={session}
            isStop={at === 0}
            isLooked={row.verdict.line === looked}
          />
        ))}
      </tbody>
    </table>
  )
}

interface LineProps {
  row: Row
  session: Session
  isStop: boolean
  isLooked: boolean
}

function Line({ row: { verdict, ranked, rank }, session, isStop, isLooked }: LineProps) {
  const { line, state } = verdict
  const design = session.design(verdict.index)
  const isPinned = session.state.pins.includes(line)
  const look = () => {
    session.change({ ...session.state, picked: line }, `pick ${line}`)
  }
  const pin = () => {
    session.change(pinned(session.state, line), `pin ${line} ${performance.now()}`)
  }
  const key = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLButtonElement || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter') look()
    if (event.key === 'p') pin()
  }
  return (
    <tr
      role="row"
      class={`${state}${isLooked ? ' looked' : ''}`}
      aria-selected={isLooked}
      onClick={look}
      onKeyDown={key}
    >
      <th role="rowheader" scope="row" tabIndex={isStop ? 0 : -1}>
        <span class="rank">{rank ?? ''}</span>
        {title(session, verdict)}
        {design?.today && <span class="mark">today</span>}
        {ranked?.pareto && <span class="mark">Pareto-optimal</span>}
      </th>
      {COLUMNS.map((column) => (
        <Cell key={column.order} label={headed(column, session)} known={column.of(verdict, session)} />
      ))}
      <td role="gridcell" class="reason" tabIndex={-1}>
        <span class={`state ${state}`}>
          <span aria-hidden="true">{MARKS[state]}</span> {SAID[state]}
        </span>{' '}
        <span class="muted">{reason(verdict, ranked, rank === 1)}</span>
      </td>
      <td role="gridcell" class="pin" tabIndex={-1}>
        <button
          type="button"
          aria-pressed={isPinned}
          aria-label={`${isPinned ? 'Pinned' : 'Pin'} ${title(session, verdict)}`}
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation()
            pin()
          }}
        >
          {isPinned ? 'Pinned' : 'Pin'}
        </button>
      </td>
    </tr>
  )
}

function Cell({ label, known: { text, bounds, origin: how, why } }: { label: string; known: origin.Known }) {
  return (
    <td role="gridcell" class="num" tabIndex={-1}>
      <span class="label" aria-hidden="true">
        {label}
      </span>
      <span class="figure" data-origin={ORIGINS[how] ?? how} data-why={why}>
        {text}
        {bounds && <small> {bounds}</small>}
      </span>
    </td>
  )
}
