export type Request = {
  method?: string
  address: string
  /** The token to send; true for the one in the shell's variable TOKEN. */
  token?: string | true | undefined
  headers?: Readonly<Record<string, string>>
  /** The fields of a form, which is sent by POST. */
  form?: Readonly<Record<string, string>>
  /** Whether a certificate is taken that nobody vouches for. */
  insecure?: boolean
}

export function curlLine (request: Request): string
