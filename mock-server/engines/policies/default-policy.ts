/** The policy of every token that does not exclude it: a token may manage itself, its wrapped responses and its own
 * cubbyhole. */
export const defaultPolicy = `# Every token may look at, renew and revoke itself.
path "auth/token/lookup-self" {
  capabilities = ["read"]
}
path "auth/token/renew-self" {
  capabilities = ["update"]
}
path "auth/token/revoke-self" {
  capabilities = ["update"]
}

# It may ask what it may do, and who it is.
path "sys/capabilities-self" {
  capabilities = ["update"]
}
path "identity/entity/id/{{identity.entity.id}}" {
  capabilities = ["read"]
}
path "identity/entity/name/{{identity.entity.name}}" {
  capabilities = ["read"]
}

# Leases are found and renewed by those who know their ids.
path "sys/renew" {
  capabilities = ["update"]
}
path "sys/leases/renew" {
  capabilities = ["update"]
}
path "sys/leases/lookup" {
  capabilities = ["update"]
}

# Its cubbyhole, and wrapped responses.
path "cubbyhole/*" {
  capabilities = ["create", "read", "update", "delete", "list"]
}
path "sys/wrapping/wrap" {
  capabilities = ["update"]
}
path "sys/wrapping/lookup" {
  capabilities = ["update"]
}
path "sys/wrapping/unwrap" {
  capabilities = ["update"]
}
`
