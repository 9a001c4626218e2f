/**
 * A list of things as a table; on a narrow screen each row is a card, with the name of its column before each value.
 */

import type { ComponentChildren } from 'preact'
import { Scrolled } from './parts'

export interface Column {
  name: string
  /** `choice` and `actions` have no visible heading. */
  kind?: 'num' | 'name' | 'design' | 'date' | 'choice' | 'actions'
}

export interface ListedRow {
  key: string
  /** The best of a list, which is marked. */
  first?: boolean
  /** One a column; an empty one is left out of a card. */
  cells: ComponentChildren[]
}

function isEmpty(cell: ComponentChildren): boolean {
  return cell === '' || cell === null || cell === undefined || cell === false
}

export function Listed({ label, columns, rows }: { label: string; columns: Column[]; rows: ListedRow[] }) {
  return (
    <Scrolled label={label}>
      <table class="list">
        <thead>
          <tr>
            {columns.map(({ name, kind }) => (
              <th key={name} scope="col" class={kind}>
                {kind === 'choice' || kind === 'actions' ? <span class="hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, first, cells }) => (
            <tr key={key} class={first ? 'first' : undefined}>
              {columns.map(({ name, kind }, place) => {
                const cell = cells[place]
                return (
                  <td key={name} class={isEmpty(cell) ? `${kind ?? ''} empty` : kind} data-label={name}>
                    {cell}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}
