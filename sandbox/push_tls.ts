/**
 * The certificate of the push stand-in for `localhost` and `127.0.0.1`, which it has signed itself. Only
 * the development server's connections to the stand-in trust it.
 */
export const PUSH_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBxDCCAWugAwIBAgIUX8k/HjqSpBIRHEhYbYv7JLFtphswCgYIKoZIzj0EAwIw
KTEnMCUGA1UEAwweR2F0ZWhvdXNlIGRldmVsb3BtZW50IHN0YW5kLWluMCAXDTI2
MTEyMjA5MTg0NFoYDzIxMjYxMDI5MDkxODQ0WjApMScwJQYDVQQDDB5HYXRlaG91
c2UgZGV2ZWxvcG1lbnQgc3RhbmQtaW4wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AASN+a9lp4S/at9LrDiWpVc3u+xkUpeueVKEkLbLiwcMQ3UZCgUizi0rIkdjer+X
d/Z6Bi4xbvLiqVxSLf/FF4iKo28wbTAdBgNVHQ4EFgQUuI2csGs5tyPu/ugDIfyX
b5KX96UwHwYDVR0jBBgwFoAUuI2csGs5tyPu/ugDIfyXb5KX96UwGgYDVR0RBBMw
EYIJbG9jYWxob3N0hwR/AAABMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
RwAwRAIgK2NtGPfE2KlVJGEWvYzQ3L8M2XW9I8FPqTgk7s1yJEsCIEepJLidiLLR
wf44s0uo6U7AHfde8HLhTFQRVwWWwgHK
-----END CERTIFICATE-----
`;

export const PUSH_CERTIFICATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAnlAS9aUuK+Dbuzh
w+/XXe6yqwulXI/L7mWw6IczvJ2hRANCAASN+a9lp4S/at9LrDiWpVc3u+xkUpeu
eVKEkLbLiwcMQ3UZCgUizi0rIkdjer+Xd/Z6Bi4xbvLiqVxSLf/FF4iK
-----END PRIVATE KEY-----
`;
