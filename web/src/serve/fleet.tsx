/** Drives in service: which to replace, when the others end, and new samples of them. */

import { useState } from 'preact/hooks'
import { at, type Added, type DriveForecast, type HistorySummary, type Quarter, type Report } from './api'
import { percent, size } from '../design/number'
import { asked, HorizonsForm, useHorizons } from './horizons'
import { Listed, type Column } from './listed'
import { useLoaded } from './load'
import { Page, Refused, sentence, Tiles, Waiting } from './parts'
import { href } from './route'
import { upload } from './server'
import { count, day, moment, plural } from './words'

const LISTS = ['replace', 'watch', 'silent', 'no date', 'warranty', 'ok']

export function Fleet() {
  const { data: summary, refusal, reload } = useLoaded<HistorySummary>(at('/health'))
  return (
    <Page title="Fleet" lead="Drives in service: what is to be done about each, and by when.">
      {refusal ? <Refused error={refusal} onRetry={reload} /> : null}
      {!summary && !refusal ? <Waiting /> : null}
      {summary ? <Samples summary={summary} onAdded={reload} /> : null}
      {summary?.drives ? <Drives key={summary.samples} last={summary.last_seen} /> : null}
    </Page>
  )
}

function Samples({ summary, onAdded }: { summary: HistorySummary; onAdded: () => void }) {
  const [added, setAdded] = useState<Added | null>(null)
  const [failed, setFailed] = useState<Error | null>(null)
  const [share, setShare] = useState<number | null>(null)
  const [host, setHost] = useState('')
  const send = async (files: File[]) => {
    setFailed(null)
    for (const file of files) {
      const path = at('/health/samples', { name: file.name, host: host.trim() || null })
      setShare(0)
      try {
        setAdded(await upload<Added>('POST', path, file, setShare))
        onAdded()
      } catch (error) {
        setFailed(sentence(error))
      }
    }
    setShare(null)
  }
  return (
    <details class="card" open={summary.drives === 0}>
      <summary>
        {summary.drives
          ? `${plural(summary.drives, 'drive')}, ${plural(summary.samples, 'sample')}, the last of ${moment(summary.last_seen)}`
          : 'No drive yet: add samples'}
      </summary>
      <div class="row">
        <label for="host">Host</label>
        <input
          id="host"
          value={host}
          placeholder="db1"
          onInput={(event) => {
            setHost(event.currentTarget.value)
          }}
        />
        <label class="button">
          <input
            type="file"
            class="hidden"
            multiple
            onChange={(event) => {
              void send([...(event.currentTarget.files ?? [])])
            }}
          />
          Add samples
        </label>
        {share === null ? null : <progress value={share} max={1} aria-label="Sending samples" />}
      </div>
      <p class="muted">
        JSON of <code>smartctl -x -j</code>, or a table of samples as Parquet or CSV.
      </p>
      {added ? (
        <p role="status">
          {plural(added.samples_new, 'new sample')}, {plural(added.drives_new, 'new drive')}.
          {added.refused.length ? ` Refused: ${added.refused.join('; ')}` : ''}
        </p>
      ) : null}
      {failed ? <Refused error={failed} /> : null}
    </details>
  )
}

function Drives({ last }: { last: string | null }) {
  const [horizons, setHorizons] = useHorizons()
  const query = asked(horizons)
  const report = useLoaded<Report>(at('/health/report', query))
  const fleet = useLoaded<{ quarters: Quarter[] }>(at('/health/fleet', query))
  const forecast = useLoaded<{ drives: DriveForecast[] }>(at('/health/forecast', query))
  const wrong = report.refusal ?? fleet.refusal ?? forecast.refusal
  return (
    <>
      <HorizonsForm horizons={horizons} onHorizons={setHorizons} last={last} />
      {wrong ? <Refused error={wrong} onRetry={report.reload} /> : null}
      {report.data ? <Counts report={report.data} /> : null}
      {report.data ? <ToReplace report={report.data} /> : null}
      {fleet.data?.quarters.length ? <Quarters quarters={fleet.data.quarters} /> : null}
      {forecast.data ? <Forecasts drives={forecast.data.drives} /> : null}
    </>
  )
}

function Counts({ report }: { report: Report }) {
  const figures = LISTS.filter((name) => report.counts[name]).map((name) => ({
    name,
    value: count(report.counts[name]),
  }))
  return <Tiles figures={[{ name: 'drives checked', value: count(report.drives_checked) }, ...figures]} />
}

const TO_DO: Column[] = [
  { name: 'List' },
  { name: 'Where' },
  { name: 'Drive', kind: 'name' },
  { name: 'By', kind: 'date' },
  { name: 'Why' },
]

const FORECASTS: Column[] = [
  { name: 'Drive', kind: 'name' },
  { name: 'Where' },
  { name: 'List' },
  { name: 'Wear', kind: 'num' },
  { name: 'Writes a day', kind: 'num' },
  { name: 'Media end', kind: 'date' },
  { name: 'Warranty end', kind: 'date' },
]
const SHOWN = 500

type Placed = Pick<DriveForecast, 'serial' | 'model' | 'host' | 'device'>

function place({ host, device }: Placed): string {
  return [host, device].filter(Boolean).join(' ')
}

function Drive({ drive: { serial, model } }: { drive: Placed }) {
  return (
    <>
      <a href={href({ page: 'drive', serial })}>{serial}</a>
      <span class="muted place">{model}</span>
    </>
  )
}

function ToReplace({ report }: { report: Report }) {
  return (
    <section aria-labelledby="to-replace">
      <h2 id="to-replace">To be done</h2>
      {report.silent_hosts.map(({ host, drives, time }) => (
        <p key={host}>
          {host} is silent since {moment(time)}: {plural(drives, 'drive')}.
        </p>
      ))}
      {report.drives.length ? (
        <Listed
          label="Drives that need attention"
          columns={TO_DO}
          rows={report.drives.map((drive) => ({
            key: drive.serial,
            cells: [
              <span class={`state ${drive.status}`}>{drive.status}</span>,
              place(drive),
              <Drive drive={drive} />,
              day(drive.by),
              drive.why,
            ],
          }))}
        />
      ) : (
        <p>No drive needs attention.</p>
      )}
    </section>
  )
}

/** Replacements by quarter, as bars with their interval in words. */
function Quarters({ quarters }: { quarters: Quarter[] }) {
  const most = Math.max(...quarters.map(({ replacements_high }) => replacements_high), 1)
  return (
    <section aria-labelledby="quarters">
      <h2 id="quarters">Replacements expected</h2>
      <table class="narrow">
        <thead>
          <tr>
            <th>Quarter</th>
            <th class="num">Drives</th>
            <th>
              <span class="hidden">As a bar</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {quarters.slice(0, 12).map(({ quarter, replacements, replacements_low, replacements_high }) => (
            <tr key={quarter}>
              <td>{quarter}</td>
              <td class="num">
                {replacements.toFixed(1)} ({replacements_low}–{replacements_high})
              </td>
              <td class="bar-cell" aria-hidden="true">
                <span class="bar" style={{ width: `${(100 * replacements) / most}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Forecasts({ drives }: { drives: DriveForecast[] }) {
  const [wanted, setWanted] = useState('')
  const words = wanted.toLowerCase()
  const shown = drives.filter(({ serial, model, host, status }) =>
    `${serial} ${model ?? ''} ${host ?? ''} ${status}`.toLowerCase().includes(words),
  )
  return (
    <section aria-labelledby="forecasts">
      <h2 id="forecasts">Forecasts</h2>
      <input
        type="search"
        aria-label="Find drives by serial number, model, host or list"
        placeholder="find"
        value={wanted}
        onInput={(event) => {
          setWanted(event.currentTarget.value)
        }}
      />
      <Listed
        label="Forecasts of all drives"
        columns={FORECASTS}
        rows={shown.slice(0, SHOWN).map((drive) => ({
          key: drive.serial,
          cells: [
            <Drive drive={drive} />,
            place(drive),
            <span class={`state ${drive.status}`}>{drive.status}</span>,
            percent(drive.wear_ratio),
            size(drive.written_bytes_per_day),
            day(drive.media_end),
            day(drive.warranty_end),
          ],
        }))}
      />
      {shown.length > 500 ? (
        <p class="muted">The first 500 of {count(shown.length)}; find names the others.</p>
      ) : null}
    </section>
  )
}
