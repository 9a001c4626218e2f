import { render } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, expect, test } from 'vitest'
import { App } from '../../src/what-if/app'
import { Session } from '../../src/what-if/session'
import { lacking } from '../../src/what-if/unpack'
import { CARRIED, FakeCore } from './fake'

function shown(carried = CARRIED): { page: HTMLElement; session: Session } {
  const page = document.createElement('div')
  document.body.append(page)
  const session = new Session(
    carried,
    new FakeCore(carried),
    null,
    (run) => {
      run()
    },
    () => performance.now(),
  )
  void act(() => {
    render(<App session={session} />, page)
  })
  return { page, session }
}

afterEach(() => {
  for (const page of document.body.children) render(null, page)
  document.body.replaceChildren()
  history.replaceState(null, '', '/')
})

function button(page: HTMLElement, text: string): HTMLButtonElement {
  const found = [...page.querySelectorAll('button')].find((each) => each.textContent === text)
  if (!found) throw new Error(`no button ${text}`)
  return found
}

test('the answer comes first, with what it costs', () => {
  const { page } = shown()
  const answer = page.querySelector('.wi-answer')?.textContent ?? ''
  expect(answer).toContain('Cheapest that fits')
  expect(answer).toContain('Samsung PM9A3 960 GB')
  expect(answer).toContain('$416')
})

test('twice the headroom is one button, and undo takes it back', () => {
  const { page } = shown()
  void act(() => {
    button(page, 'Twice the headroom').click()
  })
  expect(page.querySelector('.wi-answer')?.textContent).toContain('In the plan: 2 × Samsung PM9A3 960 GB')
  void act(() => {
    button(page, 'Undo').click()
  })
  expect(page.querySelector('.wi-answer')?.textContent).not.toContain('In the plan:')
})

test('each control is a labelled field and a slider', () => {
  const { page } = shown()
  const labels = [...page.querySelectorAll('.control label')].map((label) => label.textContent)
  expect(labels[0]).toBe('Headroom required')
  expect(labels.length).toBe(17)
  for (const label of page.querySelectorAll<HTMLLabelElement>('.control label')) {
    expect(page.ownerDocument.getElementById(label.htmlFor)).not.toBeNull()
  }
})

test('names are text, whatever is in them', () => {
  const carried = structuredClone(CARRIED)
  for (const design of carried.designs) design.title = '<script>alert(1)</script><img src=x onerror=alert(1)>'
  const { page } = shown(carried)
  expect(page.querySelector('script, img')).toBeNull()
  expect(page.textContent).toContain('<script>alert(1)</script>')
})

test('a figure under the focus has its origin', () => {
  const { page } = shown()
  const figure = page.querySelector<HTMLElement>('.wi-answer .figure')
  void act(() => {
    figure?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  })
  const note = page.querySelector('[role=tooltip]')
  expect(note?.textContent).toMatch(/^DerivedOver 5 years: bought for/)
  expect(figure?.getAttribute('aria-describedby')).toBe(note?.id)
  void act(() => {
    figure?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  expect(note).toHaveProperty('hidden', true)
})

test('what nothing fits says what the nearest lacks', () => {
  const { page, session } = shown()
  void act(() => {
    session.set({ ...session.state.settings, budget_usd: 60 }, 'budget_usd')
  })
  expect(page.querySelector('.wi-answer')?.textContent).toMatch(/Nothing fits.*over budget/)
})

test('a link of another plan is refused, and the page stays as it was', () => {
  history.replaceState(null, '', `/#what-if=${btoa('{"drivecast_what_if": 1, "plan": "x", "state": {}}')}`)
  const { page } = shown()
  expect(page.querySelector('[role=alert]')?.textContent).toContain('another plan')
  expect(page.querySelector('.wi-answer')?.textContent).toContain('$416')
})

test('a browser without WebAssembly is named', () => {
  expect(lacking({ Worker: 1, DecompressionStream: 1 })).toContain('lacks WebAssembly')
  expect(lacking({ Worker: 1, DecompressionStream: 1, WebAssembly: 1 })).toBeNull()
})
