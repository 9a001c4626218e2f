/**
 * The options of a plan, as the form shows them: those of `drivecast plan`, under the names of the API.
 *
 * A field that is empty is not sent, and is then derived from the workload. What is checked here is only what saves a
 * way to the server; the server reads every quantity again and has the last word.
 */

export type Values = Record<string, string>

export interface Field {
  name: string
  label: string
  /** How it is entered: `lines` is one value a line, `choice` one of `choices`. */
  kind: 'quantity' | 'number' | 'choice' | 'switch' | 'lines'
  help: string
  example?: string
  choices?: [value: string, label: string][]
  check?: (text: string) => string | null
  /** What the server takes where nothing is given, and sends back: the form shows it as empty. */
  plain?: string
}

export interface Group {
  title: string
  open: boolean
  fields: Field[]
}

function shaped(pattern: RegExp, example: string): (text: string) => string | null {
  return (text) => (pattern.test(text.trim()) ? null : `such as ${example}`)
}

function between(low: number, high: number): (text: string) => string | null {
  return (text) => {
    const value = Number(text)
    if (!Number.isFinite(value)) return 'a number'
    if (value < low) return `at least ${low}`
    return value > high ? `at most ${high}` : null
  }
}

const SIZE = shaped(/^\d[\d_,.]*\s*[kMGTPE]?i?B?$/i, '320GB')
const TIME = shaped(/^\d[\d.]*\s*(ns|us|µs|ms|s|m|h|d)$/i, '5ms')
const DESIGNS = 'raid10(4 * samsung-pm893-480gb)'

const LIMITS: Field[] = [
  {
    name: 'capacity',
    label: 'Usable capacity',
    kind: 'quantity',
    example: '320GB',
    check: SIZE,
    help: 'Needed today; growth comes on top.',
  },
  {
    name: 'p99_read',
    label: 'p99 of reads',
    kind: 'quantity',
    example: '5ms',
    check: TIME,
    help: 'Longest 99th percentile of reads.',
  },
  {
    name: 'p99_write',
    label: 'p99 of writes',
    kind: 'quantity',
    example: '2ms',
    check: TIME,
    help: 'Longest 99th percentile of writes.',
  },
  {
    name: 'years',
    label: 'Years in service',
    kind: 'quantity',
    example: '5',
    check: shaped(/^\d[\d.]*\s*(y|years?)?$/i, '5 or 3y'),
    help: 'Time that the drives must serve.',
  },
  {
    name: 'growth',
    label: 'Growth',
    kind: 'quantity',
    example: '20%/y',
    check: shaped(/^-?\d[\d.]*\s*%?\s*(\/\s*(y|year))?$/i, '20%/y'),
    help: 'Of data and load, a year.',
  },
  {
    name: 'budget',
    label: 'Budget, USD',
    kind: 'quantity',
    example: '20000',
    check: shaped(/^[$]?\s*\d[\d_,.]*\s*[kM]?(\s*USD)?$/i, '20000'),
    help: 'Most that may be spent over the years.',
  },
  {
    name: 'power',
    label: 'Power, W',
    kind: 'number',
    example: '120',
    check: between(0, 1e7),
    help: 'Most that the drives may draw.',
  },
  {
    name: 'drive_losses',
    label: 'Drive failures tolerated',
    kind: 'choice',
    choices: [
      ['', 'as the data need'],
      ['0', '0'],
      ['1', '1'],
      ['2', '2'],
    ],
    help: 'Drives that may fail at once without data loss.',
  },
  {
    name: 'data_loss',
    label: 'Data loss',
    kind: 'quantity',
    example: '1e-4',
    check: shaped(/^\d[\d.]*(e-?\d+)?\s*%?$/i, '1e-4 or 0.01%'),
    help: 'Greatest chance of losing data over the years.',
  },
  {
    name: 'headroom',
    label: 'Headroom',
    kind: 'number',
    example: '2',
    check: between(0.01, 1e4),
    help: 'Load to sustain, as a multiple of the peak.',
  },
]

const WORKLOAD: Field[] = [
  {
    name: 'hours_per_day',
    label: 'Hours a day',
    kind: 'number',
    example: '24',
    check: between(0.01, 24),
    help: 'Hours of a day that look like the log.',
  },
  {
    name: 'peak_window',
    plain: '60',
    label: 'Peak, seconds',
    kind: 'number',
    example: '60',
    check: between(1, 1e7),
    help: 'Length of the busiest stretch, with which designs are simulated.',
  },
  {
    name: 'together',
    plain: 'false',
    label: 'Superpose the logs',
    kind: 'switch',
    help: 'Several logs run at once on one array, each with addresses of its own; else they are parts of one log.',
  },
  {
    name: 'spread',
    plain: 'true',
    label: 'Spread over the capacity',
    kind: 'choice',
    choices: [
      ['', 'yes'],
      ['false', 'no'],
    ],
    help: 'A trace that covers a small part of the capacity is spread over it: a small part of a disk is fast.',
  },
  {
    name: 'backup',
    plain: 'meet',
    label: 'A backup in the log',
    kind: 'choice',
    choices: [
      ['', 'designs keep up with it'],
      ['exclude', 'is left out'],
    ],
    help: 'Found in logs of six hours or more.',
  },
  {
    name: 'headroom_margin',
    label: 'Margin of headroom',
    kind: 'number',
    example: '1.2',
    check: between(1, 100),
    help: "Load to sustain over the peak's after growth, unless headroom is given.",
  },
]

const DESIGN: Field[] = [
  {
    name: 'today',
    label: 'Design of today',
    kind: 'quantity',
    example: DESIGNS,
    help: 'What runs now: judged among the others, with what was recorded on it.',
  },
  {
    name: 'designs',
    label: 'Designs to judge besides',
    kind: 'lines',
    example: DESIGNS,
    help: 'One a line. They are judged besides those searched.',
  },
  {
    name: 'volumes',
    label: 'Volumes',
    kind: 'lines',
    example: 'log=range:0..64GiB',
    help: 'One a line: designs are searched for each apart. Which requests go to one: log=range:0..64GiB, log=process:ib_log*, log=stream:1204+1207; one may be without, for what is left.',
  },
  {
    name: 'caches',
    label: 'Flash caches before disks',
    kind: 'choice',
    choices: [
      ['', 'where it helps'],
      ['true', 'yes'],
      ['false', 'no'],
    ],
    help: 'By default where there are disks, and a trace says what is met again.',
  },
  {
    name: 'where',
    plain: 'metal',
    label: 'Where',
    kind: 'choice',
    choices: [
      ['', 'drives that are bought'],
      ['cloud', 'volumes that are rented'],
      ['any', 'both'],
    ],
    help: 'Volumes of clouds are sized and priced by the month.',
  },
  {
    name: 'instance',
    label: 'Instance',
    kind: 'quantity',
    example: 'm6i.2xlarge',
    help: 'The instance whose limits rented volumes are behind.',
  },
  {
    name: 'include_old',
    plain: 'false',
    label: 'Include old drives',
    kind: 'switch',
    help: 'Consider drives no longer sold.',
  },
  {
    name: 'trimmed',
    plain: 'true',
    label: 'Free space is trimmed',
    kind: 'choice',
    choices: [
      ['', 'yes'],
      ['false', 'no'],
    ],
    help: 'Whether the file system discards what is free (fstrim, or the option discard).',
  },
]

const MONEY: Field[] = [
  {
    name: 'prices',
    plain: 'typical',
    label: 'Prices',
    kind: 'choice',
    choices: [
      ['', 'typical'],
      ['low', 'low'],
      ['high', 'high'],
    ],
    help: 'The end of their bounds at which drives are bought.',
  },
  {
    name: 'scrub',
    label: 'Scrub',
    kind: 'quantity',
    example: '7d',
    check: TIME,
    help: 'How often every drive is read whole.',
  },
  {
    name: 'endurance_tolerance',
    label: 'Tolerance of life',
    kind: 'quantity',
    example: '5%',
    check: shaped(/^\d[\d.]*\s*%?$/, '5%'),
    help: 'Share of the years by which a life may fall short.',
  },
]

const READING: Field[] = [
  {
    name: 'disk',
    label: 'Disk',
    kind: 'quantity',
    example: 'sdb',
    help: 'Of a log that holds several: a name in counters (the busiest by default), several to add up (sdb,sdc), or a number in traces (8:16).',
  },
  {
    name: 'event',
    label: 'blktrace event',
    kind: 'choice',
    choices: [
      ['', 'D, at the drive'],
      ['Q', 'Q, at the block layer'],
    ],
    help: 'Where rows and latencies come from.',
  },
  {
    name: 'interval',
    label: 'Interval, seconds',
    kind: 'number',
    example: '10',
    check: between(1e-9, 1e7),
    help: 'Between the samples, or requests, of a log without times.',
  },
]

const RUN: Field[] = [
  {
    name: 'seed',
    plain: '0',
    label: 'Seed',
    kind: 'number',
    example: '0',
    check: shaped(/^\d+$/, '0'),
    help: 'Of all random numbers; equal seeds give equal bytes.',
  },
]

export const GROUPS: Group[] = [
  { title: 'Requirements', open: true, fields: LIMITS },
  { title: 'Designs', open: false, fields: DESIGN },
  { title: 'Workload', open: false, fields: WORKLOAD },
  { title: 'Prices and upkeep', open: false, fields: MONEY },
  { title: 'How the log is read', open: false, fields: READING },
  { title: 'Run', open: false, fields: RUN },
]

export const FIELDS: Field[] = GROUPS.flatMap((group) => group.fields)

/** What is wrong with each field; empty where all can be sent. */
export function faults(values: Values): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { name, check } of FIELDS) {
    const text = (values[name] ?? '').trim()
    const fault = text && check ? check(text) : null
    if (fault) found[name] = fault
  }
  return found
}

function sent(field: Field, text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (field.kind === 'number' || field.name === 'drive_losses') return Number(text)
  return field.kind === 'lines' ? lines(text) : text
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

function filled(values: Values): [Field, string][] {
  return FIELDS.map((field): [Field, string] => [field, (values[field.name] ?? '').trim()]).filter(
    ([, text]) => text,
  )
}

/** What is sent to the server: the fields that hold something, in the types of the API. */
export function body(values: Values): Record<string, unknown> {
  return Object.fromEntries(filled(values).map(([field, text]) => [field.name, sent(field, text)]))
}

function text(value: unknown): string {
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The other way: the options of a plan as the form has them, without those that are the server's defaults. */
export function values(options: Record<string, unknown>): Values {
  const held = FIELDS.map(({ name, plain }): [string, string] => {
    const value = text(options[name])
    return [name, value === plain ? '' : value]
  })
  return Object.fromEntries(held.filter(([, value]) => value))
}

const FLAGS: Record<string, string> = { designs: '--design', volumes: '--volume' }

/** The command line that does the same, to be taken to a terminal. */
export function command(logs: string[], values: Values): string {
  return ['drivecast plan', ...logs.map(quoted), ...filled(values).flatMap(flags)].join(' ')
}

function flags([field, text]: [Field, string]): string[] {
  const flag = FLAGS[field.name] ?? `--${field.name.replaceAll('_', '-')}`
  if (text === 'true') return [flag]
  if (text === 'false') return [field.name === 'trimmed' ? '--no-trim' : flag.replace('--', '--no-')]
  return (field.kind === 'lines' ? lines(text) : [text]).map((value) => `${flag} ${quoted(value)}`)
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
