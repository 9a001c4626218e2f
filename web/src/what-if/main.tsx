import '../design/tokens.css'
import '../design/components.css'
import { render } from 'preact'

const place = document.getElementById('what-if')
if (place) render(<section class="dc" aria-label="What if" />, place)
