import { queryOptions, useMutation } from '@tanstack/react-query'
import { type SavedReplies, savedReplies } from '#shared/inbox/saved-replies.ts'
import { callApi } from '../data/api.ts'
import { keys, queryClient } from '../data/queries.ts'

/** The texts that owners keep for their answers. */
export const repliesQuery = queryOptions({
  queryKey: keys.replies,
  queryFn: () => callApi('/replies', savedReplies),
})

/** Saves all of them. Refused if another owner has changed them since. */
export const useSaveReplies = () =>
  useMutation({
    mutationFn: (body: SavedReplies) => callApi('/replies', savedReplies, { method: 'PUT', body }),
    onSuccess: (saved) => queryClient.setQueryData(keys.replies, saved),
    onError: () => void queryClient.invalidateQueries({ queryKey: keys.replies }),
  })
