from gatehouse import call

# region readIssuer
issuer = call("GET", "/api/documents/issuer")
print(issuer["name"], "test mode" if issuer["test"] else "live mode")
# end region
