package shellgate

// netTable: asking other machines. A request that only fetches, and whose answer
// goes to standard output, is reading; one that sends or keeps anything is not.
//
// A configuration of kubectl may name programs to run: the person's own, below
// their home, is trusted.
const ownKubeconfig = "--kubeconfig:" + string(home) + "/.kube/*,!.."

var netTable = []rule{
	{names: "ping, ping6, traceroute, traceroute6, tracepath, mtr, nslookup, host, whois, dog, doggo"},
	{names: "dig"},
	{
		names: "curl", inner: fetchedURL, why: WritesFile, beside: "-d:-G,--get --data:-G,--get --data-urlencode:-G,--get",
		never: "-O -J -K -c -P -Q --remote-name --remote-name-all --remote-header-name --cookie-jar --config --trace --trace-ascii --stderr --libcurl --etag-save --create-dirs --output-dir --hsts --alt-svc",
		sends: "-T -F --upload-file --form --form-string --data-binary --data-raw --data-ascii --json --quote --mail-from --mail-rcpt --telnet-option",
		flags: "-s -S -f -L -I -i -k -v -G -N -g -j -n -q -4 -6 -# -V -h -l --silent --show-error --fail --fail-with-body --fail-early --location --head --include --insecure --verbose --get --no-buffer --globoff --compressed " +
			"--http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --ipv4 --ipv6 --netrc --no-progress-meter --progress-bar --path-as-is --tcp-nodelay --tlsv1.2 --tlsv1.3 --version --help --no-keepalive --location-trusted --retry-all-errors --retry-connrefused --ssl --ssl-reqd --styled-output --parallel -Z --raw --anyauth --basic --digest --negotiate --ntlm",
		values: "-A -b -d -e -E -H -m -o -r -u -w -X -x -y -Y -D --user-agent --cookie --data --data-urlencode --referer --header --max-time --connect-timeout --output --range --user --write-out --request --proxy --retry --retry-delay --retry-max-time --max-redirs --url --cacert --capath --cert --key --resolve --interface --limit-rate --max-filesize --oauth2-bearer --proto --proto-redir --noproxy --connect-to --dump-header --ciphers --unix-socket --speed-limit --speed-time",
		limits: "-o:/dev/null,-,/dev/stdout,/dev/stderr --output:/dev/null,-,/dev/stdout,/dev/stderr -D:-,/dev/null,/dev/stdout,/dev/stderr --dump-header:-,/dev/null,/dev/stdout,/dev/stderr " +
			"-w:!%output,!@ --write-out:!%output,!@ -E:!pkcs11 --cert:!pkcs11 --key:!pkcs11 --proto:http*,https*,=http* --unix-socket:/nowhere -d:!@ --data:!@ --data-urlencode:!@",
		requests: "-X:GET,HEAD,OPTIONS --request:GET,HEAD,OPTIONS",
	},
	{
		names: "wget", never: "-o -a -P -i -N -c -r -m --output-file --append-output --directory-prefix --save-cookies --recursive --mirror --warc-file", sends: "--post-data --post-file --method --body-data --body-file", runs: "-e --execute --use-askpass", needs: "--spider -O --output-document --version", why: WritesFile,
		flags:  "-q -S -v -nv -4 -6 -d --spider --quiet --server-response --verbose --no-verbose --no-check-certificate --version --inet4-only --inet6-only --content-on-error --no-proxy --https-only --no-hsts --no-config -n -nv --show-progress --compression",
		values: "-O -T -t -U -w --output-document --timeout --tries --user-agent --header --wait --user --password --max-redirect --connect-timeout --read-timeout --compression",
		limits: "-O:-,/dev/null,/dev/stdout --output-document:-,/dev/null,/dev/stdout",
	},
	{names: "nc, ncat, netcat", needs: "-z", flags: "-z -v -n -u -4 -6", values: "-w", most: 2, why: Sends},
	{names: "http, https, xh, xhs, httpie, aria2c, lynx, w3m, links, wscat, websocat, grpcurl, socat, telnet, ftp, nmap, mail, sendmail, mutt, sftp, scp", as: refuses, why: Sends, unless: "--version"},
	{names: "ssh, mosh, rsh, autossh", as: refuses, why: RunsElse, unless: "-V"},
	{names: "docker, podman, nerdctl", as: group, flags: "--version -v", values: "-H -c --context --host -l --log-level"},
	{names: "docker ps, docker images, docker logs, docker inspect, docker version, docker info, docker stats, docker top, docker port, docker diff, docker history, docker search, docker events, nerdctl ps, nerdctl images, nerdctl logs, nerdctl inspect"},
	{
		names: "podman ps, podman images, podman logs, podman inspect, podman version, podman info, podman stats, podman top, podman port, podman diff, podman history, podman search",
		runs:  "--conmon --runtime --runtime-flag --hooks-dir --network-cmd-path --module --config --ssh", values: "-n --format --filter --tail --since --until",
	},
	{names: "docker container, docker image, docker network, docker volume, docker context, docker system, docker node, docker service, docker stack, docker config, docker secret, docker plugin, docker manifest, docker buildx, docker builder", as: group},
	{names: "docker container ls, docker container list, docker container ps, docker container inspect, docker container logs, docker container top, docker container stats, docker container port, docker container diff, docker image ls, docker image list, docker image inspect, docker image history, docker network ls, docker network list, docker network inspect, docker volume ls, docker volume list, docker volume inspect, docker context ls, docker context list, docker context show, docker context inspect, docker system df, docker system info, docker system events, docker node ls, docker node ps, docker node inspect, docker service ls, docker service ps, docker service inspect, docker service logs, docker stack ls, docker stack ps, docker stack services, docker config ls, docker secret ls, docker plugin ls, docker manifest inspect, docker buildx ls, docker buildx version, docker buildx du"},
	{names: "docker compose, docker-compose, podman-compose", as: group, values: "-f -p --file --project-name --profile --project-directory --env-file", flags: "--version --ansi --compatibility"},
	{names: "docker compose ps, docker compose logs, docker compose ls, docker compose images, docker compose top, docker compose version, docker compose port, docker compose events, docker compose stats, docker-compose ps, docker-compose logs, docker-compose images, docker-compose top, docker-compose version, docker-compose port, docker-compose events"},
	{names: "docker compose config, docker-compose config", never: "-o --output --lock-image-digests --resolve-image-digests", why: WritesFile},
	{names: "kubectl, oc, k", as: group, why: RunsProgram, limits: ownKubeconfig, values: "-n --namespace --context --cluster -s --server --request-timeout --as --kubeconfig", flags: "--insecure-skip-tls-verify"},
	{
		names: "kubectl get, kubectl describe, kubectl logs, kubectl top, kubectl version, kubectl api-resources, kubectl api-versions, kubectl explain, kubectl events, kubectl wait, kubectl options, k get, k describe, k logs, k top, oc get, oc describe, oc logs, oc status, oc whoami, oc projects",
		never: "--profile-output --cache-dir --profile --log-dir --log-file", values: "--kubeconfig", limits: ownKubeconfig, why: RunsProgram,
	},
	{names: "kubectl cluster-info", most: none, flags: "--context --namespace", why: WritesFile},
	{names: "kubectl config, kubectl auth, kubectl rollout", as: group, values: "-n --namespace --context --cluster"},
	{names: "kubectl config view, kubectl config get-contexts, kubectl config current-context, kubectl config get-clusters, kubectl config get-users, kubectl auth can-i, kubectl auth whoami, kubectl rollout status, kubectl rollout history", never: "--cache-dir", values: "--kubeconfig", limits: ownKubeconfig, why: RunsProgram},
	{names: "helm", as: group, values: "-n --namespace --kube-context", flags: "--debug"},
	{names: "helm list, helm ls, helm status, helm history, helm search, helm version, helm env", never: "--kubeconfig --post-renderer --output-dir --registry-config --repository-config --repository-cache", why: RunsProgram},
	{names: "helm get, helm show, helm template", never: "--kubeconfig --post-renderer --output-dir --dependency-update --registry-config --repository-config --repository-cache", why: RunsProgram},
	{names: "terraform, tofu", as: group, flags: "-version --version -help", values: "-chdir", single: true},
	{names: "terraform version, terraform output, terraform show, terraform graph, tofu version, tofu output, tofu show", single: true, flags: "-json -no-color -raw -type", why: ChangesHost},
	{names: "terraform fmt, tofu fmt", needs: "-check", single: true, flags: "-check -diff -recursive -no-color", why: Changes},
	{names: "terraform providers", first: "schema", single: true, flags: "-json", why: Changes},
	{names: "terraform state, terraform workspace, tofu state", as: group},
	{names: "terraform state list, terraform state show, terraform workspace list, terraform workspace show, tofu state list, tofu state show", single: true, flags: "-no-color -id"},
	{names: "gh", as: group, flags: "--version", values: "-R --repo"},
	{names: "gh pr, gh issue, gh repo, gh run, gh release, gh workflow, gh search, gh auth, gh gist, gh label, gh cache, gh secret, gh variable, gh org, gh project, gh ruleset, gh alias, gh config, gh extension, gh ssh-key, gh gpg-key, gh codespace", as: group, values: "-R --repo"},
	{names: "glab", as: group, flags: "--version", values: "-R --repo"},
	{names: "glab mr, glab issue, glab ci, glab release, glab repo, glab auth, glab label", as: group, values: "-R --repo"},
	{names: "glab mr list, glab mr view, glab mr diff, glab issue list, glab issue view, glab ci list, glab ci status, glab ci get, glab ci trace, glab release list, glab release view, glab repo view, glab auth status, glab label list", runs: "-w --web", values: "-R -F -P -p --repo --output --page --per-page --author --assignee --label --search"},
	{
		names: "gh pr list, gh pr view, gh pr diff, gh pr status, gh pr checks, gh issue list, gh issue view, gh issue status, gh repo list, gh repo view, gh run list, gh run view, gh run watch, gh release list, gh release view, gh workflow list, gh workflow view, gh search code, gh search issues, gh search prs, gh search repos, gh search commits, gh auth status, gh gist list, gh gist view, gh label list, gh cache list, gh secret list, gh variable list, gh org list, gh project list, gh project view, gh ruleset list, gh ruleset view, gh status, gh alias list, gh config list, gh config get, gh extension list, gh ssh-key list, gh gpg-key list, gh codespace list, gh project item-list, gh project field-list, gh variable get",
		runs:  "-w --web", values: "-R -L -s -q -t -l -a -A -S -B -H --repo --limit --state --jq --template --json --label --author --assignee --search --branch --job",
	},
	{names: "gh api", inner: ghRequest, why: Sends, sends: "--input", flags: "-i --include --paginate --silent --slurp --verbose", values: "-f -F --field --raw-field -X -H -q -t -p --method --header --jq --template --hostname --cache --preview", limits: "-X:GET,HEAD --method:GET,HEAD"},
	{names: "fly, flyctl, crictl", as: group, why: RunsElse, flags: "--version"},
	{names: "fly status, fly logs, fly releases, flyctl status, flyctl logs, flyctl releases, crictl ps, crictl images, crictl logs, crictl inspect, crictl pods, crictl info"},
	{names: "doctl, vercel, netlify, firebase, ansible, ansible-playbook, vagrant, packer, pulumi, cdk, eksctl, skaffold, tilt", as: refuses, why: RunsElse, unless: "--version"},
	{names: "minikube, kind, kustomize, skopeo, redis-cli config", as: group, why: RunsElse},
	{names: "minikube status, minikube version, minikube ip, kustomize version, skopeo inspect, skopeo list-tags, redis-cli config get"},
	{names: "kustomize build", flags: "--as-current-user", why: RunsProgram},
	{names: "kind get", first: "clusters nodes", why: ChangesHost},
	{names: "heroku", as: group, why: RunsElse, flags: "--version"},
	{names: "heroku logs, heroku apps, heroku ps, heroku releases, heroku addons, heroku domains, heroku regions, heroku status", most: none, flags: "-t --tail -j --json --all", values: "-a -n -s -d -r --app --num --source --dyno --remote --process-type", why: RunsElse},
	{
		names: "redis-cli", as: group, bare: RunsCode, why: RunsElse, unless: "--version -v", flags: "--version -v --raw --no-raw --csv --json --tls --no-auth-warning -c -2 -3",
		values: "-h -p -n -u -a --user --pass --cacert",
	},
	{names: "redis-cli ping, redis-cli PING, redis-cli info, redis-cli INFO, redis-cli get, redis-cli GET, redis-cli mget, redis-cli MGET, redis-cli keys, redis-cli KEYS, redis-cli scan, redis-cli SCAN, redis-cli ttl, redis-cli TTL, redis-cli type, redis-cli TYPE, redis-cli exists, redis-cli EXISTS, redis-cli dbsize, redis-cli DBSIZE, redis-cli strlen, redis-cli llen, redis-cli LLEN, redis-cli lrange, redis-cli LRANGE, redis-cli hget, redis-cli HGET, redis-cli hgetall, redis-cli HGETALL, redis-cli hkeys, redis-cli HKEYS, redis-cli smembers, redis-cli SMEMBERS, redis-cli scard, redis-cli zrange, redis-cli ZRANGE, redis-cli zcard, redis-cli xlen, redis-cli xrange"},
	{names: "psql", most: none, needs: "-l --list --version -V", flags: "-l -w -X -q -t -A --list --version -V", values: "-h -p -U -d --host --port --username --dbname", why: RunsCode},
	{names: "mysql, mariadb, mongosh, mongo, clickhouse-client, cqlsh, duckdb, sqlcmd, pg_dump, mysqldump, pg_restore, createdb, dropdb", as: refuses, why: RunsCode, unless: "--version"},
}
