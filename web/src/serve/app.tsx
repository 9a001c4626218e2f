/** The frame of all pages: navigation, what is wrong with the connection, and the page that the address names. */

import { useEffect, useState } from 'preact/hooks'
import { Bench } from './bench'
import { ComparePlans } from './compare'
import { ComparisonPage } from './comparison'
import { DrivePage } from './drive'
import { Fleet } from './fleet'
import { live } from './live'
import { useConnection } from './load'
import { NewPlan } from './new_plan'
import { PlanPage } from './plan'
import { Plans } from './plans'
import { ResultPage } from './result'
import { href, parse, section, SECTIONS, type Route, type Section } from './route'
import { openSession, retry } from './server'
import { TracePage } from './trace'
import { Traces } from './traces'

const TITLES: Record<Section, string> = { traces: 'Traces', plans: 'Plans', fleet: 'Fleet', bench: 'Bench' }

function useRoute(): Route {
  const [route, setRoute] = useState(parse(location.hash))
  useEffect(() => {
    const follow = () => {
      setRoute(parse(location.hash))
    }
    addEventListener('hashchange', follow)
    return () => {
      removeEventListener('hashchange', follow)
    }
  }, [])
  return route
}

function Shown({ route }: { route: Route }) {
  switch (route.page) {
    case 'traces':
      return <Traces />
    case 'trace':
      return <TracePage key={route.id} id={route.id} />
    case 'new-plan':
      return <NewPlan key={href(route)} traces={route.traces} from={route.from} />
    case 'plans':
      return <Plans />
    case 'plan':
      return <PlanPage key={route.id} id={route.id} />
    case 'compare':
      return <ComparePlans key={route.ids.join()} ids={route.ids} />
    case 'fleet':
      return <Fleet />
    case 'drive':
      return <DrivePage key={route.serial} serial={route.serial} />
    case 'bench':
      return <Bench />
    case 'result':
      return <ResultPage key={route.id} id={route.id} />
    case 'comparison':
      return <ComparisonPage key={route.id} id={route.id} />
  }
}

export function App() {
  const route = useRoute()
  const here = section(route)
  return (
    <div class="dc serve">
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          document.querySelector<HTMLElement>('main h1')?.focus()
        }}
      >
        Skip to the content
      </a>
      <header>
        <a class="mark-name" href="#/traces">
          Drivecast
        </a>
        <nav aria-label="Pages">
          {SECTIONS.map((name) => (
            <a key={name} href={href({ page: name })} aria-current={name === here ? 'page' : undefined}>
              {TITLES[name]}
            </a>
          ))}
        </nav>
      </header>
      <Trouble />
      <main id="content">
        <Shown route={route} />
      </main>
    </div>
  )
}

/** What keeps the reader from the server: nothing, a server that went away, or a token that is wanted. */
function Trouble() {
  const { away, tokenWanted } = useConnection()
  useEffect(() => {
    if (!away) live.again()
  }, [away])
  if (tokenWanted) return <TokenPrompt />
  if (!away) return null
  return (
    <div class="notice error trouble" role="alert">
      <p>
        The server does not answer. Nothing is lost: what you typed is here, a plan that was being made goes
        on or can be run again, and the page tries again by itself.
      </p>
      <button onClick={retry}>Try now</button>
    </div>
  )
}

function TokenPrompt() {
  const [token, setToken] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    openSession(token).then(
      () => {
        live.again()
      },
      (error: unknown) => {
        setWrong(error instanceof Error ? error.message : String(error))
      },
    )
  }
  return (
    <form class="notice trouble token" onSubmit={submit} aria-label="Token">
      <p>
        <label for="token">This server wants its token: what it printed when it began.</label>
      </p>
      <p class="row">
        <input
          id="token"
          type="password"
          autocomplete="current-password"
          value={token}
          aria-invalid={wrong !== null}
          aria-describedby={wrong ? 'token-wrong' : undefined}
          onInput={(event) => {
            setToken(event.currentTarget.value)
          }}
        />
        <button class="main" disabled={!token}>
          Open
        </button>
      </p>
      {wrong ? (
        <p id="token-wrong" class="wrong" role="alert">
          {wrong}
        </p>
      ) : null}
    </form>
  )
}
