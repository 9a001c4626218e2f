// A stand-in for the simulator: designs of a real plan, judged by rules so simple that a test can foretell them. Loads
// other than the recorded one are unknown to it until tried out; then latency grows with the load.

import { CoreError, type Core, type Request } from '../../src/wasm'
import type {
  Carried,
  Design,
  Judged,
  Miss,
  Move,
  Parts,
  Settings,
  Span,
  Verdict,
} from '../../src/what-if/document'
import type { Reply, WorkerLike } from '../../src/what-if/pool'
import fixture from './fixture.json'

interface Facts {
  total: Span
  cost: Verdict['cost']
  life: Span | null
  limit: string | null
  power: Span
  loss: Span
  method: string
  headroom: number | null
  read: Span
  write: Span
  tolerated: Miss[]
  moves: Move[]
}

export const CARRIED = fixture.carried as unknown as Carried
const FACTS = fixture.facts as unknown as Facts[]

export class FakeCore implements Core {
  readonly calls: string[] = []
  private readonly tried = new Map<number, Set<number>>()
  private readonly own: Design[] = []

  constructor(private readonly carried: Carried = CARRIED) {}

  record(): void {
    this.calls.push('record')
  }

  call(request: Request): unknown {
    this.calls.push(request.call)
    if (request.call === 'open') return { designs: this.carried.designs.length, requests: 1000 }
    if (request.call === 'judge') return this.judge(request['settings'] as Settings)
    if (request.call === 'try_out') return this.tryOut(request)
    if (request.call === 'add')
      return this.add(request['tried'] as { index: number | null; times: number; design?: Design })
    throw new CoreError(`unknown call \`${request.call}\``)
  }

  private tryOut(request: Request): unknown {
    const times = (request['settings'] as Settings).peak_times
    const parts = request['design'] as Parts | undefined
    if (!parts) return { index: request['index'], times }
    if (parts.count > 20) throw new CoreError('an array of so many drives is not in this fake')
    const { drive, level, count, groups, spares, partition } = parts
    const line = `${level ?? ''}(${count} * ${drive})`
    const design = {
      line,
      title: `${count} × ${drive}`,
      drive,
      level,
      count,
      groups,
      spares,
      partition,
      usable_bytes: 1e12,
    }
    return { index: null, times, design }
  }

  private add({ index, times, design }: { index: number | null; times: number; design?: Design }): {
    index: number
  } {
    const { designs, space } = this.carried
    if (index === null && design) this.own.push(design)
    const at = index ?? designs.length + space.length + this.own.length - 1
    this.tried.set(at, (this.tried.get(at) ?? new Set()).add(times))
    return { index: at }
  }

  private judge(asked: Settings): Judged {
    if (asked.scrub_days === 13) throw new CoreError('thirteen days are not in this fake')
    const growth = (1 + asked.growth_per_year) ** asked.years
    const settings = {
      ...asked,
      headroom: asked.headroom ?? Number((growth * 1.2).toPrecision(4)),
      capacity_bytes: asked.capacity_bytes ?? 5.6e9 * growth,
      prices: { ...asked.prices, usd_per_kwh: asked.prices.usd_per_kwh ?? 0.13 },
    }
    const { designs, space } = this.carried
    const extra = [...this.tried.keys()].filter((index) => index >= designs.length)
    const all = [...designs.keys(), ...extra].map((index) => {
      const design =
        designs[index] ?? space[index - designs.length] ?? this.own[index - designs.length - space.length]
      return this.verdict(index, design as Design, settings)
    })
    const fits = all.filter((verdict) => verdict.state === 'fits')
    fits.sort((a, b) => (a.total_usd.value ?? 0) - (b.total_usd.value ?? 0))
    let fastest = Infinity
    const order = fits.map((verdict, at) => {
      const p99 = verdict.read_p99_ns?.value ?? Infinity
      const pareto = p99 < fastest
      fastest = Math.min(fastest, p99)
      return { index: verdict.index, tier: at < 3 ? 1 : 2, chance_cheapest: at ? 0.1 : 0.4, pareto }
    })
    return { settings, designs: all, order, given: {} }
  }

  private verdict(index: number, design: Design, settings: Settings): Verdict {
    const facts = FACTS[index % FACTS.length] as Facts
    const times = settings.peak_times
    const isKnown =
      (index < this.carried.designs.length && times === 1) || (this.tried.get(index)?.has(times) ?? false)
    const drive = this.carried.drives[design.drive ?? '']
    const own = settings.prices.drives[design.drive ?? '']
    const by =
      (drive?.flash === 'HDD' ? settings.prices.disk_times : settings.prices.flash_times) *
      (own ? own / (drive?.price?.value ?? own) : 1)
    const scaled = (span: Span, factor: number): Span => ({
      low: (span.low ?? 0) * factor,
      value: (span.value ?? 0) * factor,
      high: (span.high ?? 0) * factor,
    })
    const total = scaled(facts.total, by)
    const read = isKnown ? scaled(facts.read, times) : null
    const headroom = isKnown && facts.headroom !== null ? facts.headroom / times : null
    const misses: Miss[] = []
    if (settings.budget_usd !== null && (total.value ?? 0) > settings.budget_usd) {
      misses.push({ kind: 'budget', found: total.value, limit: settings.budget_usd })
    }
    if (read && settings.p99_read_ns !== null && (read.value ?? 0) > settings.p99_read_ns) {
      misses.push({ kind: 'latency', op: 'read', found: read.value, limit: settings.p99_read_ns })
    }
    if (isKnown && (headroom ?? 1) < (settings.headroom ?? 0)) {
      misses.push({ kind: 'saturated', load: settings.headroom })
    }
    return {
      index,
      line: design.line,
      state: misses.length ? 'misses' : isKnown ? 'fits' : 'unknown',
      misses,
      tolerated: facts.tolerated,
      total_usd: total,
      cost: { ...facts.cost, purchase: facts.cost.purchase * by },
      life_years: facts.life,
      life_limit: facts.limit as Verdict['life_limit'],
      power_w: facts.power,
      data_loss: facts.loss,
      headroom,
      held: headroom ?? 0,
      missed: null,
      read_p99_ns: read,
      write_p99_ns: isKnown ? scaled(facts.write, times) : null,
      p99_times: times,
      loss_method: facts.method as Verdict['loss_method'],
      moves: facts.moves,
    }
  }
}

/** A worker in this thread: it answers after `delay_ms`, and dies at the tasks that `dies` names. */
export class FakeWorker implements WorkerLike {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null
  onerror: ((event: ErrorEvent) => void) | null = null
  isTerminated = false
  static started = 0

  constructor(
    private readonly core: Core = new FakeCore(),
    private readonly delay_ms = 0,
    private readonly dies: (request: Request) => boolean = () => false,
    private readonly soFar: unknown = null,
    /** From what is known so far to the answer. */
    private readonly rest_ms = 0,
  ) {
    FakeWorker.started += 1
    setTimeout(() => {
      this.reply({ ready: true })
    })
  }

  postMessage(message: unknown): void {
    const { id, request } = message as { id: number; request: Request }
    setTimeout(() => {
      if (this.isTerminated) return
      if (this.soFar !== null) this.reply({ id, soFar: this.soFar })
      if (this.rest_ms > 0) {
        setTimeout(() => {
          this.reply(answer(this.core, id, request))
        }, this.rest_ms)
      } else if (this.dies(request)) this.onerror?.({ message: 'out of memory' } as ErrorEvent)
      else this.reply(answer(this.core, id, request))
    }, this.delay_ms)
  }

  terminate(): void {
    this.isTerminated = true
  }

  private reply(data: Reply): void {
    if (!this.isTerminated) this.onmessage?.({ data } as MessageEvent<Reply>)
  }
}

function answer(core: Core, id: number, request: Request): Reply {
  try {
    return { id, ok: core.call(request) }
  } catch (error) {
    return { id, error: (error as Error).message }
  }
}
