import { Component, type ReactNode } from 'react'
import { send } from '#brand/words/form.ts'

type State = { error?: unknown; nodes?: ChildNode[]; focused?: HTMLElement | null }

/**
 * If the application fails, leaves the page as it is on the screen, with what the visitor typed and
 * a form that the browser sends. Without a prerendered page, the router's default view shows the
 * error.
 */
export class KeepPage extends Component<{ children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError = (error: unknown): State => ({
    error,
    nodes: [...(document.getElementById('root')?.childNodes ?? [])],
    focused: document.activeElement as HTMLElement | null,
  })

  keep = (page: HTMLElement | null) => {
    const { nodes = [], focused } = this.state
    if (!page) return
    page.append(...nodes)
    // Without the application, nothing would close the notifications.
    for (const notifications of page.querySelectorAll('[role="alert"]')) notifications.remove()
    const form = page.querySelector('form')
    if (form) makePlain(form)
    focused?.focus({ preventScroll: true })
  }

  override render() {
    const { error, nodes } = this.state
    if (!nodes) return this.props.children
    if (nodes.length === 0) throw error
    return <div ref={this.keep} />
  }
}

/**
 * Lets the browser validate and send the form. The application may have failed while it was
 * sending.
 */
function makePlain(form: HTMLFormElement) {
  form.noValidate = false
  for (const control of form.elements as Iterable<Element> & HTMLFormControlsCollection) {
    control.removeAttribute('readonly')
    control.removeAttribute('disabled')
    control.removeAttribute('aria-disabled')
    if (control.getAttribute('type') === 'submit') control.textContent = send
  }
}
