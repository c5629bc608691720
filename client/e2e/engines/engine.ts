import type { Need } from '../../../server/proof/testing/needs.ts'

/** An element: the first visible match of `css` that contains `text` in its label or, if it has no label, in its content. */
export type Target = { css: string; text?: string }

/** A browser with one open page. */
export type Browser = {
  version: string
  /** The viewport's size in CSS pixels. */
  resize(width: number, height: number): Promise<void>
  open(url: string): Promise<void>
  /** Calls a function in the page. It can use only its arguments and the page's globals. */
  run<Args extends unknown[], Result>(inPage: (...args: Args) => Result, ...args: Args): Promise<Result>
  /** Scrolls the element into view and clicks it with the mouse. */
  click(target: Target): Promise<void>
  /** Replaces the text of a field by typing. */
  fill(target: Target, text: string): Promise<void>
  /** Returns the visible text of the page. */
  read(): Promise<string>
  picture(path: string): Promise<void>
  setOffline(isOffline: boolean): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type Engine = {
  name: string
  needs: readonly Need[]
  launch(options: { withScripts: boolean }): Promise<Browser>
}

/** Thrown by an action that the engine, or the protocol we use to drive it, doesn't support. */
export class NotPossible extends Error {}
