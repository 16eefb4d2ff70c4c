package shellgate

// kubeOpts are options that the reading commands of kubectl share.
const kubeOpts = "-AwLRh -n: -l: -o: -c: -p --all-namespaces --namespace: --selector: --output: --watch " +
	"--context: --previous --tail: --since: --sort-by: --field-selector: --show-labels --client --timeout:"

// netTable: asking other machines. A request that only fetches is reading; what it asks
// for is written out, since an address can carry anything away.
var netTable = []row{
	{"ping, ping6", known, "-46nq -c: -W: -w: -i: -t:", "1"},
	{"dig", known, "-46 -t: -x: -p: -q:", ""},
	{"host, traceroute", known, "-46av -t:", "2"},
	{"whois", known, "", "1"},
	{"curl", anywhere | known, "^-O ^-d ^-T ^-F ^-K ^-c ^--data ^--data-raw ^--data-binary ^--upload-file ^--form " +
		"^--remote-name ^--json -sSfLIikvgnN46#Vhl -G -H=!@* -m: -r: -u: -x: -X=GET,HEAD,OPTIONS -D=-,/dev/null " +
		"-o=-,/dev/null,/dev/stdout -w=!*%output*,!@* --silent --fail --location --head --include --insecure --verbose " +
		"--compressed --version --help --header=!@* --max-time: --user: --request=GET,HEAD,OPTIONS " +
		"--output=-,/dev/null,/dev/stdout --write-out=!*%output*,!@* --url=http://*,https://*", "http://* https://* " +
		"localhost* 127.0.0.1* 0.0.0.0*"},
	{"wget", anywhere | known, "!-O=-,/dev/null !--output-document=-,/dev/null !--spider -qSv46 -T: -t: -U: --quiet " +
		"--timeout: --user-agent: --header: -nv", "http://* https://* localhost*"},
	{"docker ps, docker images, docker logs, docker inspect, docker version, docker info, docker stats, docker top, " +
		"docker port, docker diff, docker history, docker container ls, docker container inspect, docker container logs, " +
		"docker image ls, docker image inspect, docker image history, docker network ls, docker network inspect, " +
		"docker volume ls, docker volume inspect, docker context ls, docker context show, docker system df, " +
		"docker service ls, docker compose ps, docker compose logs, docker compose ls, docker compose images, " +
		"docker compose top, docker compose version, docker-compose ps, docker-compose logs, docker-compose images, " +
		"docker-compose top", anywhere, "-aqlsftd -n: --all --quiet --filter: --format: --no-trunc --tail: --since: " +
		"--until: --follow --timestamps --no-stream --services --no-color", ""},
	{"docker compose, docker-compose", stops | group, "-f: -p: --file: --profile: --version --help", ""},
	{"kubectl logs", anywhere, kubeOpts + " -f --follow", ""},
	{"kubectl get, kubectl describe, kubectl top, kubectl version, kubectl api-resources, " +
		"kubectl config view, kubectl config get-contexts, kubectl config current-context, kubectl rollout status, " +
		"kubectl rollout history", anywhere, kubeOpts, ""},
	{"kubectl explain, kubectl events, kubectl cluster-info, kubectl auth can-i", anywhere, kubeOpts, "!dump"},
	{"kubectl rollout, kubectl config, kubectl auth", stops | group, "-n: --namespace: --context:", ""},
	{"kubectl", stops | group, "-h -n: --namespace: --context: --version --help", ""},
	{"gh pr list, gh pr view, gh pr diff, gh pr status, gh pr checks, gh issue list, gh issue view, gh issue status, " +
		"gh repo list, gh repo view, gh run list, gh run view, gh release list, gh release view, gh workflow list, " +
		"gh workflow view, gh search code, gh search issues, gh search prs, gh search repos, gh search commits, " +
		"gh auth status, gh label list, gh gist list, gh gist view, gh secret list, gh variable list, gh cache list, " +
		"gh status", anywhere | known, "-acv -R: -L: -s: -q: -t: -l: -A: -S: -B: -b: --repo: --limit: --state: --jq: " +
		"--template: --json: --label: --author: --search: --branch: --job: --log --log-failed --comments --name-only " +
		"--patch --watch --workflow: --user: --sort: --owner: --merged --head: --verbose --all", ""},
	{"gh api", anywhere | known, "-i -X=GET,HEAD -q: -t: -H=!@* -p: --method=GET,HEAD --jq: --template: --header: " +
		"--paginate --include --silent", "1 !graphql !*/graphql"},
	{"gh", stops | group, "-h -R: --repo: --version --help", ""},
	{"gh pr, gh issue, gh repo, gh run, gh release, gh workflow, gh search, gh auth, gh label, gh gist, gh secret, " +
		"gh variable, gh cache", stops | group, "-R: --repo:", ""},
}
