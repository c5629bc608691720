import { type ComponentProps, useLayoutEffect, useRef } from 'react'

/**
 * A text box that isn't controlled by React, so that the cursor stays
 * in place. It shows `text` when that changes.
 */
export function TypedText({ text, ...box }: ComponentProps<'textarea'> & { text: string }) {
  const element = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (element.current && element.current.value !== text) element.current.value = text
  }, [text])
  return <textarea ref={element} defaultValue={text} dir="auto" data-first required {...box} />
}
