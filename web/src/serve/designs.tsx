/** The designs of a plan that fit, best first; where none fits those nearest to it. */

import { useState } from 'preact/hooks'
import { headroom, latency, money, probability, span, years } from '../design/number'
import type { Between, Design, Plan } from './api'
import { Listed, type Column, type ListedRow } from './listed'
import { count, plural } from './words'

const SHOWN = 12

type Text = (value: number | null | undefined) => string

/** A value with its bounds under it. */
function worded(text: Text, figure: Between | null) {
  if (!figure) return ''
  const { value, low, high } = figure
  return (
    <>
      {text(value)}
      {low !== null && high !== null && low !== high ? (
        <span class="muted bounds">{span(text, low, high)}</span>
      ) : null}
    </>
  )
}

/** Those to be shown first, in the order of the plan; what runs now and what was named are always among them. */
export function ordered(plan: Plan): Design[] {
  const fits = plan.designs.filter(({ rank }) => rank !== null).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
  if (fits.length) {
    const named = plan.designs.filter(({ rank, yours, today }) => rank === null && (yours || today))
    return [...named, ...fits]
  }
  return plan.nearest.flatMap((line) => plan.designs.filter((design) => design.line === line).slice(0, 1))
}

export function DesignTable({ plan }: { plan: Plan }) {
  const [all, setAll] = useState(false)
  const [copied, setCopied] = useState<string | null>(null)
  const designs = ordered(plan)
  const copy = (line: string) => {
    void navigator.clipboard.writeText(line).then(() => {
      setCopied(line)
    })
  }
  return (
    <section>
      <h2>{plan.winner ? 'Designs that fit' : 'Designs nearest to fitting'}</h2>
      <Listed
        label="Designs"
        columns={COLUMNS}
        rows={designs.slice(0, all ? undefined : SHOWN).map((design) => row(design, copied, copy))}
      />
      <span class="hidden" role="status">
        {copied ? `${copied} is in the clipboard` : ''}
      </span>
      {designs.length > SHOWN ? (
        <button
          onClick={() => {
            setAll(!all)
          }}
        >
          {all ? `Show ${SHOWN}` : `Show all ${count(designs.length)}`}
        </button>
      ) : null}
      <p class="muted">
        {plural(plan.designs.length, 'design')} considered; the report says why each fits or does not.
      </p>
    </section>
  )
}

const COLUMNS: Column[] = [
  { name: '#', kind: 'num' },
  { name: 'Design', kind: 'design' },
  { name: 'Total cost', kind: 'num' },
  { name: 'Headroom', kind: 'num' },
  { name: 'p99 read', kind: 'num' },
  { name: 'p99 write', kind: 'num' },
  { name: 'Life', kind: 'num' },
  { name: 'Data loss', kind: 'num' },
  { name: 'Actions', kind: 'actions' },
]

function row(design: Design, copied: string | null, onCopy: (line: string) => void): ListedRow {
  const { rank, title, line, cost, today, yours } = design
  return {
    key: line,
    first: rank === 1,
    cells: [
      rank ?? '–',
      <>
        {title}
        {today ? <span class="mark">today</span> : null}
        {yours && !today ? <span class="mark">yours</span> : null}
        <code>{line}</code>
      </>,
      cost ? worded(money, { value: cost.total, low: cost.low, high: cost.high }) : '',
      design.headroom === null ? '' : headroom(design.headroom),
      worded(latency, design.read_p99_ns),
      worded(latency, design.write_p99_ns),
      worded(years, design.life_years),
      worded(probability, design.data_loss),
      <button
        aria-label={`${copied === line ? 'Copied' : 'Copy line'} of ${title}`}
        onClick={() => {
          onCopy(line)
        }}
      >
        {copied === line ? 'Copied' : 'Copy line'}
      </button>,
    ],
  }
}
