/** The designs of a plan that fit, best first; where none fits those nearest to it. */

import { useState } from 'preact/hooks'
import { headroom, latency, money, probability, span, years } from '../design/number'
import type { Between, Design, Plan } from './api'
import { Scrolled } from './parts'
import { count, plural } from './words'

const SHOWN = 12

type Text = (value: number | null | undefined) => string

function worded(text: Text, figure: Between | null): string {
  return figure ? text(figure.value) : ''
}

function bounds(text: Text, figure: Between | null): string | undefined {
  return figure && figure.low !== null && figure.high !== null
    ? span(text, figure.low, figure.high)
    : undefined
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
    <section aria-labelledby="designs">
      <h2 id="designs">{plan.winner ? 'Designs that fit' : 'Designs nearest to fitting'}</h2>
      <Scrolled label="Designs">
        <table class="list designs">
          <thead>
            <tr>
              <th class="num">#</th>
              <th>Design</th>
              <th class="num">Total cost</th>
              <th class="num">Headroom</th>
              <th class="num">p99 read</th>
              <th class="num">p99 write</th>
              <th class="num">Life</th>
              <th class="num">Data loss</th>
              <th>
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {designs.slice(0, all ? undefined : SHOWN).map((design) => (
              <Row key={design.line} design={design} copied={copied === design.line} onCopy={copy} />
            ))}
          </tbody>
        </table>
      </Scrolled>
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

interface RowProps {
  design: Design
  copied: boolean
  onCopy: (line: string) => void
}

function Row({ design, copied, onCopy }: RowProps) {
  const { rank, title, line, cost, read_p99_ns, write_p99_ns, life_years, data_loss } = design
  return (
    <tr class={rank === 1 ? 'first' : ''}>
      <td class="num">{rank ?? '–'}</td>
      <td class="design">
        {title}
        {design.today ? <span class="mark">today</span> : null}
        {design.yours && !design.today ? <span class="mark">yours</span> : null}
        <code>{line}</code>
      </td>
      <td class="num" title={cost ? bounds(money, { value: cost.total, ...cost }) : undefined}>
        {cost ? money(cost.total) : ''}
      </td>
      <td class="num">{design.headroom === null ? '' : headroom(design.headroom)}</td>
      <td class="num" title={bounds(latency, read_p99_ns)}>
        {worded(latency, read_p99_ns)}
      </td>
      <td class="num" title={bounds(latency, write_p99_ns)}>
        {worded(latency, write_p99_ns)}
      </td>
      <td class="num" title={bounds(years, life_years)}>
        {worded(years, life_years)}
      </td>
      <td class="num" title={bounds(probability, data_loss)}>
        {worded(probability, data_loss)}
      </td>
      <td class="actions">
        <button
          aria-label={`Copy the line of ${title}`}
          onClick={() => {
            onCopy(line)
          }}
        >
          {copied ? 'Copied' : 'Copy line'}
        </button>
      </td>
    </tr>
  )
}
