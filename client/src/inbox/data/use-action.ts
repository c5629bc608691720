import { useState } from 'react'
import { ApiError } from './api.ts'
import { trackChange } from './unconfirmed.ts'

export type Action<Input, Output = void> = {
  /** Resolves to undefined if the action failed; `error` says why. */
  run: (input: Input) => Promise<Output | undefined>
  isRunning: boolean
  error: ApiError | null
}

/** An action that a button starts. While it runs, pressing the button again does nothing. */
export function useAction<Input, Output>(work: (input: Input) => Promise<Output>): Action<Input, Output> {
  const [state, setState] = useState<{ isRunning: boolean; error: ApiError | null }>(idle)
  const run = async (input: Input) => {
    if (state.isRunning) return
    setState({ isRunning: true, error: null })
    try {
      const output = await trackChange(work(input))
      setState(idle)
      return output
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setState({ isRunning: false, error })
      return
    }
  }
  return { ...state, run }
}

const idle = { isRunning: false, error: null }
