import { QueryClient } from '@tanstack/react-query'

/** The page's only query client, for `QueryClientProvider`. */
export const queryClient = new QueryClient()
