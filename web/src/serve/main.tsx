import '../design/tokens.css'
import '../design/components.css'
import 'uplot/dist/uPlot.min.css'
import './serve.css'
import { render } from 'preact'
import { App } from './app'

const place = document.getElementById('serve')
if (place) render(<App />, place)
