import { type ComponentProps, type KeyboardEvent, useLayoutEffect, useRef } from 'react'

/**
 * A text box that isn't controlled by React, so that the cursor stays
 * in place. It shows `text` when that changes.
 */
export function TypedText({ text, ...box }: ComponentProps<'textarea'> & { text: string }) {
  const element = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (element.current && element.current.value !== text) element.current.value = text
  }, [text])
  return (
    <>
      <textarea ref={element} defaultValue={text} dir="auto" data-first required {...box} />
      {/* The browser cuts it off silently. */}
      {text.length === box.maxLength && (
        <p role="alert" className="error">
          No more fits: if you pasted more, the rest is missing.
        </p>
      )}
    </>
  )
}

/** Sends the form on Ctrl+Enter or ⌘+Enter. */
export function submitOnModifier({
  key,
  metaKey,
  ctrlKey,
  currentTarget,
}: KeyboardEvent<HTMLTextAreaElement>) {
  if (key !== 'Enter' || !(metaKey || ctrlKey)) return
  // Not `requestSubmit`, which Safari 15.4 lacks.
  currentTarget.form?.querySelector<HTMLElement>('[type="submit"]')?.click()
}
