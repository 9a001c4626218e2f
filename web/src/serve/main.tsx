import '../design/tokens.css'
import '../design/components.css'
import { render } from 'preact'

const place = document.getElementById('serve')
if (place) render(<main class="dc" />, place)
