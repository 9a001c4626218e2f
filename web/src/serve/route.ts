/**
 * Where in the pages a reader is: the part of the address behind `#`.
 *
 * A page is a name and what it shows. Addresses can be sent to others, so an unknown one leads to the first page
 * and never to an error.
 */

export const SECTIONS = ['traces', 'plans', 'fleet', 'bench'] as const
export type Section = (typeof SECTIONS)[number]

export type Route =
  | { page: 'traces' }
  | { page: 'trace'; id: string }
  | { page: 'new-plan'; traces: string[]; from: string | null }
  | { page: 'plans' }
  | { page: 'plan'; id: string }
  | { page: 'compare'; ids: string[] }
  | { page: 'fleet' }
  | { page: 'drive'; serial: string }
  | { page: 'bench' }
  | { page: 'result'; id: string }
  | { page: 'comparison'; id: string }

const FIRST: Route = { page: 'traces' }

function list(text: string | null): string[] {
  return text ? text.split(',').filter(Boolean) : []
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function opened(section: string | undefined, id: string): Route {
  switch (section) {
    case 'traces':
      return { page: 'trace', id }
    case 'plans':
      return { page: 'plan', id }
    case 'fleet':
      return { page: 'drive', serial: id }
    case 'bench':
      return { page: 'result', id }
    case 'comparisons':
      return { page: 'comparison', id }
    default:
      return FIRST
  }
}

/** The page that a hash names. */
export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2)
  const [section, rest] = path.split('/', 2)
  const options = new URLSearchParams(query)
  if (section === 'plans' && rest === 'new')
    return { page: 'new-plan', traces: list(options.get('traces')), from: options.get('from') }
  if (section === 'plans' && rest === 'compare') return { page: 'compare', ids: list(options.get('ids')) }
  const id = rest ? decoded(rest) : ''
  if (id) return opened(section, id)
  return SECTIONS.includes(section as Section) ? { page: section as Section } : FIRST
}

function joined(ids: string[]): string {
  return ids.map(encodeURIComponent).join(',')
}

/** The address of a page; `parse` is its inverse. */
export function href(route: Route): string {
  switch (route.page) {
    case 'trace':
      return `#/traces/${encodeURIComponent(route.id)}`
    case 'plan':
      return `#/plans/${encodeURIComponent(route.id)}`
    case 'drive':
      return `#/fleet/${encodeURIComponent(route.serial)}`
    case 'result':
      return `#/bench/${encodeURIComponent(route.id)}`
    case 'comparison':
      return `#/comparisons/${encodeURIComponent(route.id)}`
    case 'compare':
      return `#/plans/compare?ids=${joined(route.ids)}`
    case 'new-plan': {
      const parts = [
        route.traces.length ? `traces=${joined(route.traces)}` : '',
        route.from ? `from=${encodeURIComponent(route.from)}` : '',
      ].filter(Boolean)
      return `#/plans/new${parts.length ? `?${parts.join('&')}` : ''}`
    }
    default:
      return `#/${route.page}`
  }
}

/** Leads the reader to a page. */
export function go(route: Route): void {
  location.hash = href(route)
}

/** The entry of the navigation that a page belongs to. */
export function section(route: Route): Section {
  switch (route.page) {
    case 'trace':
      return 'traces'
    case 'plan':
    case 'compare':
    case 'new-plan':
      return 'plans'
    case 'drive':
      return 'fleet'
    case 'result':
    case 'comparison':
      return 'bench'
    default:
      return route.page
  }
}
