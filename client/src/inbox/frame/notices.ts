import { createContext, useContext } from 'react'

export type Notice =
  /** `undo` reverses what the text describes. */
  | { kind: 'done'; text: string; undo?: (() => void) | undefined }
  | { kind: 'failed'; text: string }
  /** An answer that is about to be sent. */
  | { kind: 'answer'; reference: string; name: string; key: string; sendsAt: string }

export type Notify = (notice: Notice) => void

export const NotifyContext = createContext<Notify>(() => {})

/** Shows a notice at the bottom of the window. */
export const useNotify = (): Notify => useContext(NotifyContext)
