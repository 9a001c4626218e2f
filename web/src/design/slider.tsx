// A slider and a field for one number: the slider for a feel, the field for the figure.

import { useEffect, useId, useState } from 'preact/hooks'
import { ORIGINS } from './origin'

export interface SliderProps {
  label: string
  unit: string
  /** Text of the field; empty where there is no value. */
  text: string
  placeholder?: string
  step: number
  steps: number
  /** What a screen reader says of the slider's place. */
  said: string
  origin: string
  why?: string | undefined
  onStep: (step: number) => void
  /** Gives the sentence that says what is wrong with a text, or nothing. */
  onText: (text: string) => string | null
}

export function Slider(props: SliderProps) {
  const { label, unit, text, placeholder, step, steps, said, origin, why, onStep, onText } = props
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  useEffect(() => {
    setDraft(null)
    setWrong(null)
  }, [text])
  const enter = (typed: string) => {
    setDraft(typed)
    setWrong(onText(typed))
  }
  return (
    <div class="control">
      <label for={`${id}f`}>{label}</label>
      <span
        class="origin figure"
        tabIndex={0}
        data-origin={ORIGINS[origin] ?? origin}
        {...(why ? { 'data-why': why } : {})}
      >
        {origin}
      </span>
      <input
        type="range"
        aria-label={`${label}, slider`}
        aria-valuetext={said}
        min={0}
        max={steps}
        step={1}
        value={step}
        onInput={(event) => {
          onStep(Number(event.currentTarget.value))
        }}
      />
      <span class="entry">
        <input
          id={`${id}f`}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          value={draft ?? text}
          placeholder={placeholder ?? ''}
          aria-invalid={wrong !== null}
          {...(wrong ? { 'aria-describedby': `${id}w` } : {})}
          onInput={(event) => {
            enter(event.currentTarget.value)
          }}
          onBlur={() => {
            setDraft(null)
            setWrong(null)
          }}
        />
        <span class="unit">{unit}</span>
      </span>
      {wrong && (
        <span id={`${id}w`} class="wrong" role="alert">
          {wrong}
        </span>
      )}
    </div>
  )
}
