/** By which day a fleet is judged, and what counts as soon: the same on the page of the fleet and on those of its drives. */

import { useKept } from './load'
import { day } from './words'

export interface Horizons {
  as_of: string
  within: string
  watch: string
}

const PLAIN: Horizons = { as_of: '', within: '', watch: '' }

export function useHorizons(): [Horizons, (next: Horizons) => void] {
  return useKept<Horizons>('horizons', PLAIN)
}

/** As the server takes them: what is empty is left to it. */
export function asked({ as_of, within, watch }: Horizons): Record<string, string | null> {
  return { as_of: as_of || null, within: within || null, watch: watch || null }
}

interface FormProps {
  horizons: Horizons
  onHorizons: (next: Horizons) => void
  last: string | null
}

export function HorizonsForm({ horizons, onHorizons, last }: FormProps) {
  const change = (by: Partial<Horizons>) => {
    onHorizons({ ...horizons, ...by })
  }
  return (
    <div class="row horizons">
      <label>
        As of{' '}
        <input
          type="date"
          value={horizons.as_of}
          onChange={(event) => {
            change({ as_of: event.currentTarget.value })
          }}
        />
      </label>
      <label>
        Replace within{' '}
        <input
          class="short"
          value={horizons.within}
          placeholder="92d"
          onChange={(event) => {
            change({ within: event.currentTarget.value.trim() })
          }}
        />
      </label>
      <label>
        Watch within{' '}
        <input
          class="short"
          value={horizons.watch}
          placeholder="184d"
          onChange={(event) => {
            change({ watch: event.currentTarget.value.trim() })
          }}
        />
      </label>
      {last ? (
        <button
          onClick={() => {
            change({ as_of: day(last) })
          }}
        >
          As of the last sample
        </button>
      ) : null}
      {horizons.as_of || horizons.within || horizons.watch ? (
        <button
          onClick={() => {
            onHorizons(PLAIN)
          }}
        >
          As of today
        </button>
      ) : null}
    </div>
  )
}
