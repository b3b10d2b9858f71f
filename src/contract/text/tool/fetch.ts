export const fetchText = () =>
  ({
    "fetch.private": {
      en: "{host} resolves to {address}, which is this machine or a private network; nothing was sent there",
      zh: "{host} 指向 {address}，即本机或私有网络；未向其发送任何内容",
    },
    "fetch.private.advice": {
      en: "Use another address. Only the user can allow this host, with a rule that names it: --allow '{rule}'.",
      zh: "请换用其他地址。只有用户能用指明该主机的规则允许它：--allow '{rule}'。",
    },
    "fetch.special": {
      en: "{host} resolves to {address}, a special address without web pages; nothing was sent there",
      zh: "{host} 指向 {address}，那里不是网页所在；未向其发送任何内容",
    },
    "fetch.special.advice": {
      en: "Use another address. Only a rule about the address itself can allow it, not one about the name.",
      zh: "请换用其他地址。关于名称的规则不能允许它，只有关于该地址本身的规则可以。",
    },
    "fetch.no_host": { en: "unknown host {host} ({code})", zh: "没有主机 {host}（{code}）" },
    "fetch.no_host.advice": {
      en: "Check the spelling; without a network nothing can be fetched.",
      zh: "请检查拼写；没有网络时无法抓取。",
    },
    "fetch.unreachable": { en: "cannot reach {host}: {code}", zh: "无法连接 {host}：{code}" },
    "fetch.broken": {
      en: "the response of {host} broke off or is not HTTP: {code}",
      zh: "{host} 的应答中断或不是 HTTP：{code}",
    },
    "fetch.retry.advice": {
      en: "Try again later, or use another address.",
      zh: "请稍后再试一次，或换用其他地址。",
    },
    "fetch.certificate": {
      en: "the certificate of {host} is not trusted: {code}",
      zh: "{host} 的证书不被信任：{code}",
    },
    "fetch.certificate.advice": {
      en: "Do not bypass it. The user can add their own certificate authority in network.ca_file or NODE_EXTRA_CA_CERTS.",
      zh: "请勿绕过。自有证书颁发机构应由用户在 network.ca_file 或 NODE_EXTRA_CA_CERTS 中设置。",
    },
    "fetch.timeout": { en: "no complete response from {url} within {seconds} s", zh: "{url} 未在 {seconds} 秒内取得" },
    "fetch.redirects": {
      en: "{url} redirects more than {max} times",
      zh: "{url} 的重定向超过 {max} 次",
    },
    "fetch.bad_redirect": {
      en: "{url} redirects to something other than an http or https address",
      zh: "{url} 重定向到的不是 http 或 https 地址",
    },
    "fetch.bad_type": {
      en: "{url} is {type} ({size}), not text",
      zh: "{url} 是 {type}（{size}），不是文本",
    },
    "fetch.bad_type.advice": {
      en: "Fetch a page about it, or download the file with a command that has the network.",
      zh: "请改取介绍它的网页，或用可访问网络的命令下载该文件。",
    },
    "fetch.bad_coding": {
      en: "{host} compressed its response as {coding}, which was not requested",
      zh: "{host} 以未请求的 {coding} 方式压缩应答",
    },
    "fetch.proxy": {
      en: "the proxy {proxy} did not connect to {host}: {code}",
      zh: "代理 {proxy} 未能连接 {host}：{code}",
    },
    "fetch.proxy_kind": {
      en: "the proxy {proxy} does not support http and https",
      zh: "代理 {proxy} 不能用于 http 和 https",
    },
    "fetch.proxy.advice": {
      en: "Ask the user to check network.proxy, HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
      zh: "请让用户检查 network.proxy、HTTPS_PROXY、HTTP_PROXY 和 NO_PROXY。",
    },
  }) as const;
