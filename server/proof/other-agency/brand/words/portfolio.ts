export const title = 'A shop to try: a bakery'
export const intro = 'It sells nothing, but it shows how we work.'
export const picture = (title: string) => `${title} on its first screen`
export const newTab = ' (in another tab)'
export const closing = 'Room for one more.'
export const startProject = 'Open your shop'
