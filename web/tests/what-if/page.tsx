// The page over the stand-in, for who works on its looks without a simulator: `npm run fake` builds it into out/fake.

import '../../src/design/tokens.css'
import '../../src/design/components.css'
import '../../src/what-if/what-if.css'
import { render } from 'preact'
import { App } from '../../src/what-if/app'
import { Pool } from '../../src/what-if/pool'
import { Session } from '../../src/what-if/session'
import { CARRIED, FakeCore, FakeWorker } from './fake'

const place = document.getElementById('what-if')
const pool = new Pool(() => new FakeWorker(new FakeCore(), 120), 2)
if (place) render(<App session={new Session(CARRIED, new FakeCore(), pool)} />, place)
